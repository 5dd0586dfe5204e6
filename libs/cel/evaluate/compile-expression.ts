import type { CallExpression, Expression } from '../syntax/expression.ts';
import { type Compilation, CompilationError, type Context, type Scope, type Step } from './compilation.ts';
import { compileCall } from './compile-call.ts';
import { compileComprehension } from './compile-comprehension.ts';
import { compileList, compileMap } from './compile-literals.ts';
import { compileName, compileSelect, namedStep } from './compile-names.ts';
import { compileOperator } from './compile-operators.ts';

/**
 * Compiles an expression to a closure. Each closure charges the frame for its step and returns errors as values. Throws
 * `CompilationError` for an expression that cannot be compiled.
 */
export function compileExpression(
  expression: Expression,
  scope: Scope | undefined,
  compilation: Compilation,
): Step {
  const compile = (part: Expression, inner: Scope | undefined = scope) =>
    compileExpression(part, inner, compilation);
  switch (expression.kind) {
    case 'constant': {
      const { value } = expression;
      return () => value;
    }
    case 'identifier':
      return compileName(expression, scope, compilation);
    case 'select':
      return (
        namedStep(expression, scope, compilation) ?? compileSelect(expression, compile(expression.operand))
      );
    case 'call':
      return compileAnyCall(expression, { scope, compilation, compile });
    case 'list':
      return compileList(expression, { compilation, compile });
    case 'map':
      return compileMap(expression, { compilation, compile });
    case 'struct':
      throw new CompilationError(`objects cannot be made: ${expression.name}`, expression);
    case 'comprehension':
      return compileComprehension(expression, { scope, compilation, compile });
  }
}

function compileAnyCall(call: CallExpression, context: Context): Step {
  return compileOperator(call, context) ?? compileCall(call, context);
}
