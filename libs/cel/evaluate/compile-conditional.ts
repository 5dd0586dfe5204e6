import { figures } from '../cost/figures.ts';
import type { CallExpression, Expression } from '../syntax/expression.ts';
import { CelError, noSuchOverload } from '../values/cel-error.ts';
import { CompilationError, type Context, type Step } from './compilation.ts';

/** Compiles `a ? b : c`. Only the chosen branch is evaluated; the name at the root of a branch costs nothing. */
export function compileConditional(call: CallExpression, context: Context): Step {
  const [condition, truthy, falsy] = call.arguments;
  if (condition === undefined || truthy === undefined || falsy === undefined)
    throw new CompilationError('?: takes three operands', call);
  const test = context.compile(condition);
  const yes = compileBranch(truthy, context);
  const no = compileBranch(falsy, context);
  const refused = noSuchOverload('_?_:_');
  return frame => {
    const chosen = test(frame);
    if (chosen === true) return yes(frame);
    if (chosen === false) return no(frame);
    return chosen instanceof CelError ? chosen : refused;
  };
}

function compileBranch(branch: Expression, context: Context): Step {
  const step = context.compile(branch);
  if (!isPathOfName(branch)) return step;
  return frame => {
    frame.cost -= figures.name;
    return step(frame);
  };
}

/** Whether an expression consists of a name and selections of fields and elements. */
export function isPathOfName(expression: Expression): boolean {
  if (expression.kind === 'identifier') return true;
  if (expression.kind === 'select') return !expression.isTest && isPathOfName(expression.operand);
  const [operand] = expression.kind === 'call' && expression.function === '_[_]' ? expression.arguments : [];
  return operand !== undefined && isPathOfName(operand);
}
