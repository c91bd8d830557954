"""Kernels optimised once: inner ones are only lowered, what Python calls becomes machine code.

Numba treats a function that a kernel calls as if Python called it, too: it makes two wrappers,
optimises it and emits machine code, then links its IR into the caller and optimises all of it
again, at every level. Here a kernel that is called by another one is only typed and lowered. Its IR
is linked into the kernel that Python calls, and LLVM works there, once, on functions of which it
knows every caller.

A kernel may be called both ways, so the two results are kept apart: `overloads` has what Python
calls, and only that goes to the cache on disk; `_inner` has what kernels call. Verbs of families
count references as their caller does, so of them there may be two, with counts and without.

This rests on the inside of numba, so it is done with the versions it was tried with. With others,
and with `NOUGHTS_LEAN=0`, numba compiles everything its own way.
"""

import gc
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import llvmlite.binding as llvm
import numba
from numba.core import compiler, sigutils
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import _FunctionCompiler  # type: ignore[attr-defined]
from numba.core.environment import lookup_environment
from numba.core.registry import CPUDispatcher
from numba.core.types.containers import BaseNamedTuple, BaseTuple
from numba.core.typing import make_concrete_template

from noughts.aloud import preparing
from noughts.kernels.cache import module_cache_folder, source_digest
from noughts.kernels.checked import CheckedCache, own_cache_folder

_ENVIRONMENT = "_ZN08NumbaEnv"  # what numba's names of environments begin with
_OPTIONS = {"nopython": True, "nogil": True, "boundscheck": None, "no_cfunc_wrapper": True}


_TRIED = ("0.68",)  # versions of numba


def _is_lean() -> bool:
    is_tried = numba.__version__.startswith(tuple(f"{version}." for version in _TRIED))
    return is_tried and os.environ.get("NOUGHTS_LEAN") != "0"


def compiled_kernel(function: Callable[..., Any], options: dict[str, Any]) -> Callable[..., Any]:
    """A kernel that compiles on its first call, or is found in the cache then."""
    dispatcher = LeanDispatcher if _is_lean() else KernelDispatcher
    compiled: Callable[..., Any] = dispatcher(function, {}, _OPTIONS | options)
    return compiled


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


@contextmanager
def _uncollected() -> Iterator[None]:
    """Compiling makes objects by the million and hardly any garbage; looking for it takes 5%."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


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


class _EntryLibrary(JITCodeLibrary):
    """A kernel that Python calls, and everything below it: nobody else may call that.

    Numba leaves whatever it links in open to others, so LLVM must keep every function as it is.
    Told that they are internal it puts functions of one caller into it and passes only the
    arguments that are read; a tuple of rules has some hundred. And numba optimises twice, the first
    time to see which references it can leave out. Most of our kernels count none.
    """

    def _optimize_final_module(self) -> None:
        counts_references = False
        for function in self._final_module.functions:
            if function.is_declaration:
                counts_references |= function.name.startswith("NRT_")
            elif function.linkage == llvm.Linkage.linkonce_odr:
                counts_references |= function.name.startswith("NRT_")
                function.linkage = llvm.Linkage.internal
        if counts_references:
            super()._optimize_final_module()
        else:
            manager, builder = self._codegen._module_pass_manager()
            manager.run(self._final_module, builder)


class _EntryCompiler(_FunctionCompiler):
    """Numba's, with a library of ours."""

    def _compile_core(self, args: Any, return_type: Any) -> Any:
        flags = compiler.Flags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        context = self.targetdescr.target_context
        library = _EntryLibrary(context.codegen(), self.py_func.__qualname__)
        library.enable_object_caching()
        compiled = compiler.compile_extra(
            self.targetdescr.typing_context,
            context,
            self.py_func,
            args=args,
            return_type=return_type,
            flags=flags,
            locals=self.locals,
            library=library,
        )
        if compiled.typing_error is not None:
            raise compiled.typing_error
        return compiled


def families_in(arguments: tuple[Any, ...]) -> list[type]:
    """The classes of all tuples among the types of arguments, those inside of tuples included."""
    found: list[type] = []
    for argument in arguments:
        if isinstance(argument, BaseTuple):
            if isinstance(argument, BaseNamedTuple):
                found.append(argument.instance_class)
            found += families_in(tuple(argument))
    return found


class _FamilyCache(CheckedCache):
    """Machine code of one specialisation belongs to the sources of its family's rules, too.

    Its key is text. Numba's own holds the types, and with them the classes of rules: an index that
    names a class of a package which is gone could not be read any more, by anybody.
    """

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        _, *others = super()._index_key(sig, codegen)
        families = sorted({(one.__module__, one.__qualname__) for one in families_in(tuple(sig))})
        digests = tuple((*family, source_digest(family[0])) for family in families)
        return (str(sig), *others, digests)


class KernelDispatcher(CPUDispatcher):
    """A kernel that is compiled numba's own way, and kept in a folder of ours."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._has_cache = False

    def compile(self, sig: Any) -> Any:
        if not self._has_cache:  # most kernels are never called by Python, and need none
            module = self.py_func.__module__
            if own_cache_folder(module_cache_folder(module)):
                with _own_cache_folder(module):
                    self._cache = _FamilyCache(self.py_func)
            self._has_cache = True
        with preparing(), _uncollected():
            return super().compile(sig)


class _Flags(compiler.Flags):
    """Flags that are quickly compared: numba looks them up whenever it types a call.

    Its own comparison reads sixty options one by one, which took a tenth of compiling.
    """

    def __eq__(self, other: object) -> bool:
        return isinstance(other, compiler.Flags) and self._values == other._values

    def __hash__(self) -> int:
        return _HASH_OF_FLAGS


_HASH_OF_FLAGS = hash(compiler.Flags())  # numba's is the same for all of them


class VerbDispatcher(CPUDispatcher):
    """A verb: the class of its first argument, a tuple of rules, says which kernel is meant."""

    def __init__(self, stub: Callable[..., Any], kernel_for: Callable[[type], Any]) -> None:
        super().__init__(stub, {}, _OPTIONS)
        self._kernel_for = kernel_for

    def __call__(self, rules: Any, *arguments: Any) -> Any:
        return self._kernel_for(type(rules))(rules, *arguments)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        return self._kernel_for(args[0].instance_class).get_call_template(args, kws)

    def get_overload(self, sig: Any) -> Any:
        arguments, _ = sigutils.normalize_signature(sig)
        return self._kernel_for(arguments[0].instance_class).get_overload(sig)


class LeanDispatcher(KernelDispatcher):
    """A kernel: compiled where Python calls it, lowered where a kernel does."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        # (counts references?, argument types) -> CompileResult
        self._inner: dict[tuple[bool, tuple[Any, ...]], Any] = {}
        self._compiler = _EntryCompiler(
            self.py_func, self.targetdescr, self.targetoptions, self.locals, compiler.Compiler
        )

    def compile(self, sig: Any) -> Any:
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
        signatures = list({lowered.signature: None for lowered in self._inner.values()})
        template = make_concrete_template(f"CallTemplate({name})", name, signatures)
        return template, pysig, arguments, {}

    def get_overload(self, sig: Any) -> Any:
        """The key by which a kernel that is being lowered finds this one."""
        arguments, _ = sigutils.normalize_signature(sig)
        return self._inner[self._inner_flags().nrt, tuple(arguments)].library

    def _lower(self, arguments: tuple[Any, ...]) -> None:
        with global_compiler_lock, self._compiling_counter:
            flags = self._inner_flags()
            if (flags.nrt, arguments) in self._inner:
                return
            library = _LoweredLibrary(self.targetctx.codegen(), self.py_func.__qualname__)
            lowered = compiler.compile_extra(
                self.typingctx,
                self.targetctx,
                self.py_func,
                args=arguments,
                return_type=None,
                flags=flags,
                locals=self.locals,
                library=library,
            )
            if lowered.typing_error is not None:
                raise lowered.typing_error
            self.targetctx.insert_user_function(library, lowered.fndesc, library.with_all_below())
            self._inner[flags.nrt, arguments] = lowered

    def _inner_flags(self) -> Any:
        """The flags of this kernel inside the one that is being compiled, some of them its."""
        flags = _Flags()
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
