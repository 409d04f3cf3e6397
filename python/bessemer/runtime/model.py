"""AIModel: a loaded model; its functions are awaited."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from bessemer import _bessemer, naming
from bessemer.devices import resolve
from bessemer.errors import CompileError, NameNotFoundError, UnsupportedError
from bessemer.runtime.asset import _require
from bessemer.runtime.function import InferenceFunction
from bessemer.runtime.profiling import Profiler, interval

# How the original's failure of a kernel begins; scripts match it.
ORIGINAL_KERNEL_ERROR = (
    "Kernel coreai.metal4_kernel invoked with invalid parameters. "
    "Unresolved symbol: coreai.metal4_kernel (encode)"
)


class AIModel:
    """A model on one device. Functions keep what they need of it."""

    def __init__(self, model: _bessemer.Model, options=None):
        self._model = model
        self.specialization_options = options

    @classmethod
    async def load(
        cls, path: str | os.PathLike, specialization_options=None, *, device=None
    ) -> AIModel:
        """A model from an .aimodel folder: `model = await AIModel.load(path)`."""
        return await asyncio.to_thread(
            cls.open, path, specialization_options, device=device
        )

    @classmethod
    def open(
        cls, path: str | os.PathLike, specialization_options=None, *, device=None
    ) -> AIModel:
        """`load` without an event loop."""
        path = Path(path)
        _require(path)
        model = _bessemer.Model.load(path, resolve(device))
        return cls(model, specialization_options)

    @property
    def function_names(self) -> list[str]:
        """The entry points that the model has."""
        return self._model.function_names

    def load_function(
        self, function_name: str, intermediate_logger=None, profiler=None
    ) -> InferenceFunction:
        """Compiles the function, its kernels included, or takes it from the cache."""
        if function_name not in self.function_names:
            raise NameNotFoundError(
                f"No function named '{function_name}'; the model has: "
                f"{', '.join(self.function_names) or 'none'}"
            )
        if intermediate_logger is not None:
            raise UnsupportedError(
                "intermediate_logger is not supported; return the value from the model "
                "to see it"
            )
        if profiler is not None and not isinstance(profiler, Profiler):
            raise TypeError(f"profiler must be a Profiler, got {profiler!r}")
        try:
            with interval(profiler, "compile"):
                function = self._model.function(function_name)
            return InferenceFunction(function, profiler)
        except CompileError as error:
            if not naming.original:
                raise
            raise CompileError(
                f"{ORIGINAL_KERNEL_ERROR}\n{error}", error.diagnostics
            ) from None
