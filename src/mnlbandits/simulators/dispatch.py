"""How the loops call the functions of the algorithm that a state belongs to."""

import inspect
from collections.abc import Callable
from typing import Any

import numba
from numba.extending import lower_builtin, type_callable

from mnlbandits.algorithms import BY_STATE, Algorithm


def dispatched(find: Callable[[Algorithm], Any]) -> Callable[[Callable], Callable]:
    """Decorator of ``stub(state, ...)``: compiled code calls the compiled function that `find` names in its place.

    The algorithm is found while compiling, by the class of the state.
    """

    def decorate(stub: Callable) -> Callable:
        def compiled(state):
            return numba.types.Dispatcher(find(BY_STATE[state.instance_class]))

        @type_callable(stub)
        def type_stub(context):
            def typer(*arguments):
                return compiled(arguments[0]).get_call_type(context, arguments, {}).return_type

            typer.pysig = inspect.signature(stub)
            return typer

        @lower_builtin(stub, numba.types.VarArg(numba.types.Any))
        def lower_stub(context, builder, signature, arguments):
            kind = compiled(signature.args[0])
            signature = kind.get_call_type(context.typing_context, signature.args, {})
            return context.get_function(kind, signature)(builder, arguments)

        return stub

    return decorate
