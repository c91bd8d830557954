"""Named arrays in the safetensors format, whole or absent, with a checksum of every byte.

    8 bytes   the length of the header, little-endian
    header    JSON: name -> dtype, shape, where its bytes begin and end; "__metadata__": texts
    data      the arrays, one after the other

Other programs read these files as they are. The metadata's first text is the SHA-256 of the whole
file, taken while its own digits were zeros. The format takes a page, so it is written out here and
playing needs no further package.
"""

import hashlib
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.errors import NoughtsError, ParseError
from noughts.files import reading, replacing

_TYPES = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2",
    "I8": "|i1", "U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "|u1", "BOOL": "|b1",
}  # fmt: skip
_NAMES = {code: name for name, code in _TYPES.items()}
_CHECKSUM = "sha256"
_NO_CHECKSUM = "0" * 64
_METADATA = "__metadata__"
_LARGEST_HEADER = 1 << 24


def save_tensors(path: Path, metadata: Mapping[str, str], arrays: Mapping[str, Any]) -> None:
    """Write named arrays and texts about them."""
    found = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    # Wider types first, so that every array starts where its type may be read in place.
    order = sorted(found, key=lambda name: (-found[name].dtype.itemsize, name))
    header: dict[str, Any] = {_METADATA: {_CHECKSUM: _NO_CHECKSUM, **metadata}}
    first = 0
    for name in order:
        array = found[name]
        code = array.dtype.newbyteorder("<").str
        if code not in _NAMES:
            raise NoughtsError(f"An array of type {array.dtype} cannot be kept ({name}).")
        last = first + array.nbytes
        # A scalar array has the shape that was given, which ascontiguousarray makes [1].
        shape = list(np.shape(arrays[name]))
        header[name] = {"dtype": _NAMES[code], "shape": shape, "data_offsets": [first, last]}
        first = last
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    parts = [len(text).to_bytes(8, "little"), text]
    parts += [found[name].astype(found[name].dtype.newbyteorder("<")).tobytes() for name in order]
    checksum = hashlib.sha256(b"".join(parts)).hexdigest()
    parts[1] = text.replace(_NO_CHECKSUM.encode(), checksum.encode(), 1)
    with replacing(path, "wb") as file:
        file.write(b"".join(parts))


def load_tensors(path: Path) -> tuple[dict[str, str], dict[str, NDArray[Any]]]:
    """The texts and the arrays of a file, after checking every byte of it."""
    with reading(path):
        return _load_tensors(path)


def _load_tensors(path: Path) -> tuple[dict[str, str], dict[str, NDArray[Any]]]:
    content = path.read_bytes()
    header, start = _read_header(path, content)
    metadata = header.pop(_METADATA)
    arrays = {}
    for name, entry in header.items():
        first, last = entry["data_offsets"]
        kind = np.dtype(_TYPES[entry["dtype"]])
        part = np.frombuffer(content[start + first : start + last], dtype=kind)
        arrays[name] = part.reshape(entry["shape"]).astype(kind.newbyteorder("="))
    return {key: text for key, text in metadata.items() if key != _CHECKSUM}, arrays


def _read_header(path: Path, content: bytes) -> tuple[dict[str, Any], int]:
    """The header and where the data begins."""
    length = int.from_bytes(content[:8], "little")
    start = 8 + length
    if len(content) < 8 or length > _LARGEST_HEADER or start > len(content):
        raise ParseError(f"{path} is damaged, or not a safetensors file.")
    try:
        header: dict[str, Any] = json.loads(content[8:start])
        checksum = str(header[_METADATA][_CHECKSUM])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ParseError(f"{path} is damaged, or not a file that Noughts wrote.") from None
    zeroed = content[8:start].replace(checksum.encode(), _NO_CHECKSUM.encode(), 1)
    digest = hashlib.sha256(content[:8] + zeroed + content[start:]).hexdigest()
    if digest != checksum:
        raise ParseError(f"{path} is damaged: its contents do not match its checksum.")
    if not all(_fits(entry) for name, entry in header.items() if name != _METADATA):
        raise ParseError(f"{path} holds arrays that this version cannot read.")
    return header, start


def _fits(entry: Any) -> bool:
    """Whether an entry's type is known and its bytes are as many as its shape needs."""
    try:
        first, last = entry["data_offsets"]
        size = int(_TYPES[entry["dtype"]][2:])
        is_long_enough = bool(last - first == size * math.prod(entry["shape"]))
        return is_long_enough and first >= 0 and all(side >= 0 for side in entry["shape"])
    except (KeyError, TypeError, ValueError):
        return False
