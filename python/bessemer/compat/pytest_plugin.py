"""pytest -p bessemer.compat.pytest_plugin"""

from bessemer import compat

compat.install()
