"""Kernels optimised once: inner ones are only lowered, what Python calls becomes machine code.

Numba treats a function that a kernel calls as if Python called it, too: it makes two wrappers,
optimises it and emits machine code, then links its IR into the caller and optimises all of it
again, at every level. Here a kernel that is called by another one is only typed and lowered. Its IR
is linked into the kernel that Python calls, and LLVM works there, once.

A kernel may be called both ways, so the two results are kept apart: `overloads` has what Python
calls, and only that goes to the cache on disk; `_inner` has what kernels call.

This rests on the inside of numba, so it is done with the versions it was tried with. With others,
and with `NOUGHTS_LEAN=0`, numba compiles everything its own way.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numba
from numba.core import compiler, sigutils
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.environment import lookup_environment
from numba.core.registry import CPUDispatcher
from numba.core.typing import make_concrete_template

from noughts.kernels.cache import module_cache_folder

_ENVIRONMENT = "_ZN08NumbaEnv"  # what numba's names of environments begin with
_OPTIONS = {"nopython": True, "nogil": True, "boundscheck": None, "no_cfunc_wrapper": True}


_TRIED = ("0.68",)  # versions of numba


def _is_lean() -> bool:
    is_tried = numba.__version__.startswith(tuple(f"{version}." for version in _TRIED))
    return is_tried and os.environ.get("NOUGHTS_LEAN") != "0"


def compiled_kernel(function: Callable[..., Any], options: dict[str, Any]) -> Callable[..., Any]:
    """A kernel that compiles on its first call, or is found in the cache then."""
    if not _is_lean():
        with _own_cache_folder(function.__module__):
            plain: Callable[..., Any] = numba.njit(cache=True, nogil=True, **options)(function)
        return plain
    lean: Callable[..., Any] = LeanDispatcher(function, {}, _OPTIONS | options)
    return lean


@contextmanager
def _own_cache_folder(module: str) -> Iterator[None]:
    """Numba's cache belongs to all users of numba in this process; they keep theirs."""
    config: Any = numba.config  # its attributes are made at run time
    before = config.CACHE_DIR
    config.CACHE_DIR = str(module_cache_folder(module))
    try:
        yield
    finally:
        config.CACHE_DIR = before


class _LoweredLibrary(JITCodeLibrary):
    """The IR of one inner kernel as it was lowered, to be linked into those that call it."""

    def add_llvm_module(self, ll_module: Any) -> None:
        self._final_module.link_in(ll_module)

    def finalize(self) -> None:
        self._finalized = True

    def with_all_below(self) -> list[Any]:
        """This library and every one that it calls, near or far, each once."""
        found = {id(self): self}
        for library in self._linking_libraries:
            if isinstance(library, _LoweredLibrary):
                found |= {id(below): below for below in library.with_all_below()}
            else:
                found.setdefault(id(library), library)
        return list(found.values())


class LeanDispatcher(CPUDispatcher):
    """A kernel: compiled where Python calls it, lowered where a kernel does."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._inner: dict[tuple[Any, ...], Any] = {}  # argument types -> CompileResult
        self._has_cache = False

    def compile(self, sig: Any) -> Any:
        if not self._has_cache:  # most kernels are never called by Python, and need none
            with _own_cache_folder(self.py_func.__module__):
                self.enable_caching()
            self._has_cache = True
        entry = super().compile(sig)
        arguments, _ = sigutils.normalize_signature(sig)
        _set_environments(self.overloads[tuple(arguments)])
        return entry

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """How another kernel may call this one."""
        pysig, arguments = self._compiler.fold_argument_types(args, kws)
        if self._can_compile:
            self._lower(tuple(arguments))
        name = self.py_func.__name__
        signatures = [lowered.signature for lowered in self._inner.values()]
        template = make_concrete_template(f"CallTemplate({name})", name, signatures)
        return template, pysig, arguments, {}

    def get_overload(self, sig: Any) -> Any:
        """The key by which a kernel that is being lowered finds this one."""
        arguments, _ = sigutils.normalize_signature(sig)
        return self._inner[tuple(arguments)].library

    def _lower(self, arguments: tuple[Any, ...]) -> None:
        with global_compiler_lock, self._compiling_counter:
            if arguments in self._inner:
                return
            library = _LoweredLibrary(self.targetctx.codegen(), self.py_func.__qualname__)
            lowered = compiler.compile_extra(
                self.typingctx,
                self.targetctx,
                self.py_func,
                args=arguments,
                return_type=None,
                flags=self._inner_flags(),
                locals=self.locals,
                library=library,
            )
            if lowered.typing_error is not None:
                raise lowered.typing_error
            self.targetctx.insert_user_function(library, lowered.fndesc, library.with_all_below())
            self._inner[arguments] = lowered

    def _inner_flags(self) -> Any:
        flags = compiler.Flags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        flags.no_compile = True
        flags.no_cpython_wrapper = True
        flags.no_cfunc_wrapper = True
        return flags


def _set_environments(compiled: Any) -> None:
    """Numba sets the environment of the function that it emitted; here, of those linked into it."""
    codegen = compiled.library.codegen
    for variable in compiled.library._final_module.global_variables:
        if variable.name.startswith(_ENVIRONMENT):
            environment = lookup_environment(variable.name)
            if environment is not None:
                codegen.set_env(variable.name, environment)
