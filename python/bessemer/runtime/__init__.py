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

__all__ = [
    "AIModel",
    "AIModelAsset",
    "AIModelAssetMetadata",
    "ComputeUnitKind",
    "InferenceFunction",
    "InferenceFunctionDescriptor",
    "NDArray",
    "NDArrayDescriptor",
    "SpecializationOptions",
    "StorageKind",
]
