import type { Expression } from '../syntax/expression.ts';
import { CelError } from '../values/cel-error.ts';
import { mapOfEntries } from '../values/map-value.ts';
import { ListValue, type Value } from '../values/value.ts';

/** Returns the value of a literal, or of a list or map of literals; undefined for other expressions. */
export function constantValue(expression: Expression): Value | undefined {
  switch (expression.kind) {
    case 'constant':
      return expression.value;
    case 'list': {
      const elements = expression.elements.map(constantValue);
      return elements.every(isKnown) ? ListValue.of(elements) : undefined;
    }
    case 'map': {
      const entries: [Value, Value][] = [];
      for (const entry of expression.entries) {
        const key = constantValue(entry.key);
        const value = constantValue(entry.value);
        if (key === undefined || value === undefined) return undefined;
        entries.push([key, value]);
      }
      const map = mapOfEntries(entries);
      return map instanceof CelError ? undefined : map;
    }
    default:
      return undefined;
  }
}

function isKnown(value: Value | undefined): value is Value {
  return value !== undefined;
}
