import { figures } from '../cost/figures.ts';
import type { ListExpression, MapExpression } from '../syntax/expression.ts';
import { CelError } from '../values/cel-error.ts';
import { mapOfEntries } from '../values/map-value.ts';
import { ListValue, type Value } from '../values/value.ts';
import type { Context, Step } from './compilation.ts';
import { constantValue } from './constant-value.ts';

/** Compiles `[a, b]`. */
export function compileList(
  expression: ListExpression,
  context: Pick<Context, 'compilation' | 'compile'>,
): Step {
  const constant = context.compilation.folds ? constantValue(expression) : undefined;
  if (constant !== undefined) return () => constant;
  const elements = expression.elements.map(element => context.compile(element));
  return frame => {
    const values: Value[] = [];
    for (const element of elements) {
      const value = element(frame);
      if (value instanceof CelError) return value;
      values.push(value);
    }
    frame.charge(figures.listLiteral);
    return ListValue.of(values);
  };
}

/** Compiles `{a: b}`. */
export function compileMap(
  expression: MapExpression,
  context: Pick<Context, 'compilation' | 'compile'>,
): Step {
  const constant = context.compilation.folds ? constantValue(expression) : undefined;
  if (constant !== undefined) return () => constant;
  const entries = expression.entries.map(({ key, value }) => ({
    key: context.compile(key),
    value: context.compile(value),
  }));
  return frame => {
    const pairs: [Value, Value][] = [];
    for (const entry of entries) {
      const key = entry.key(frame);
      if (key instanceof CelError) return key;
      const value = entry.value(frame);
      if (value instanceof CelError) return value;
      pairs.push([key, value]);
    }
    frame.charge(figures.mapLiteral);
    return mapOfEntries(pairs);
  };
}
