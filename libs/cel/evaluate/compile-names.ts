import { figures } from '../cost/figures.ts';
import { resolveName } from '../names/resolve-name.ts';
import type { IdentifierExpression, SelectExpression } from '../syntax/expression.ts';
import type { ObjectType } from '../types/type.ts';
import { CelError, noSuchOverload } from '../values/cel-error.ts';
import { ObjectValue } from '../values/map-value.ts';
import { namedTypes } from '../values/type-value.ts';
import { MapValue, type Reader } from '../values/value.ts';
import {
  type Compilation,
  CompilationError,
  type Scope,
  type Step,
  slotInScope,
  slotStep,
} from './compilation.ts';

/** Compiles a name: a loop variable, a program variable or a type. */
export function compileName(
  expression: IdentifierExpression,
  scope: Scope | undefined,
  compilation: Compilation,
): Step {
  const step = namedStep(expression, scope, compilation);
  if (step !== undefined) return step;
  if (compilation.facts !== undefined)
    throw new CompilationError(`undeclared reference to '${expression.name}'`, expression);
  const unknown = new CelError(`undeclared reference to '${expression.name}'`);
  return () => unknown;
}

/** Compiles a name, or selections that form a qualified name, `a.b.c`. Undefined for an undeclared name. */
export function namedStep(
  expression: IdentifierExpression | SelectExpression,
  scope: Scope | undefined,
  { container, variables }: Compilation,
): Step | undefined {
  return resolveName<Step>(expression, {
    container,
    loopVariable: name => variableStep(slotInScope(scope, name), name),
    declared: fullName => variableStep(variables.get(fullName), fullName) ?? typeStep(fullName),
  });
}

function variableStep(slot: number | undefined, name: string): Step | undefined {
  return slot === undefined ? undefined : slotStep(slot, name);
}

function typeStep(name: string): Step | undefined {
  const type = namedTypes.get(name);
  return type && (() => type);
}

/** Compiles `operand.field`, or the test of its presence. */
export function compileSelect({ field, isTest }: SelectExpression, operand: Step): Step {
  if (isTest) return compileTest(field, operand);
  const missing = new CelError(`no such key: ${field}`);
  const refused = noSuchOverload(`.${field}`);
  // A selection usually reads objects of one type.
  let type: ObjectType | undefined;
  let known: { readonly member: string; readonly read: Reader } | undefined;
  return frame => {
    const target = operand(frame);
    frame.charge(figures.selection);
    if (target instanceof ObjectValue) {
      if (type !== target.type) {
        type = target.type;
        known = target.readers(field);
      }
      const value = known === undefined ? undefined : target.member(known);
      return value === undefined ? missing : value;
    }
    if (target instanceof MapValue) {
      const value = target.field(field);
      return value === undefined ? missing : value;
    }
    return target instanceof CelError ? target : refused;
  };
}

function compileTest(field: string, operand: Step): Step {
  const refused = noSuchOverload(`has(.${field})`);
  const undeclared = new CelError(`no such field: ${field}`);
  return frame => {
    const target = operand(frame);
    if (!(target instanceof MapValue)) return target instanceof CelError ? target : refused;
    const value = target.field(field);
    if (value instanceof CelError) return value;
    if (value === undefined && target instanceof ObjectValue && target.readers(field) === undefined)
      return undeclared;
    return value !== undefined;
  };
}
