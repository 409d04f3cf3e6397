"""Loading and running models."""

from bessemer.runtime.asset import AIModelAsset
from bessemer.runtime.function import (
    InferenceFunction,
    InferenceFunctionDescriptor,
    NDArrayDescriptor,
)
from bessemer.runtime.metadata import AIModelAssetMetadata
from bessemer.runtime.model import AIModel
from bessemer.runtime.ndarray import NDArray
from bessemer.runtime.options import (
    ComputeUnitKind,
    SpecializationOptions,
    StorageKind,
)
from bessemer.runtime.profiling import CompileIdentifiers, LogEvent, Profiler
from bessemer.runtime.summary import AIModelAssetSummary

__all__ = [
    "AIModel",
    "AIModelAsset",
    "AIModelAssetMetadata",
    "AIModelAssetSummary",
    "CompileIdentifiers",
    "ComputeUnitKind",
    "InferenceFunction",
    "InferenceFunctionDescriptor",
    "LogEvent",
    "NDArray",
    "NDArrayDescriptor",
    "Profiler",
    "SpecializationOptions",
    "StorageKind",
]
