"""Whether this process uses the original packages' names.

bessemer.compat sets it. Under those names a kernel that does not compile is a
warning at conversion and an error at load, as scripts expect.
"""

original = False
