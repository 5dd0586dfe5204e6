import { type CelType, types } from '@binnacle/cel';

/** An expression with the value of `self` that it is evaluated over. */
export interface MeasuredExpression {
  readonly name: string;
  readonly text: string;
  readonly type: CelType;
  readonly self: unknown;
}

const items = Array.from({ length: 100 }, (_, index) => `a${index}`);

/** Validation rules like those of users: comparisons, a loop, a pattern, and a few conditions together. */
export const measuredExpressions: readonly MeasuredExpression[] = [
  {
    name: 'comparison of two fields',
    text: 'self.replicas <= self.maxReplicas',
    type: objectType({ replicas: types.int, maxReplicas: types.int }),
    self: { replicas: 3, maxReplicas: 10 },
  },
  {
    name: 'loop over 100 texts',
    text: "self.items.all(x, x.startsWith('a'))",
    type: objectType({ items: types.list(types.string) }),
    self: { items },
  },
  {
    name: 'regular expression',
    text: "self.name.matches('^[a-z]+$')",
    type: objectType({ name: types.string }),
    self: { name: 'harbour' },
  },
  {
    name: 'conditions together',
    text: "has(self.name) && size(self.name) < 20 && (self.kind in ['a', 'b'] || self.replicas > 2)",
    type: objectType({ name: types.string, kind: types.string, replicas: types.int }),
    self: { name: 'harbour', kind: 'c', replicas: 3 },
  },
];

/** Rules of fields of their own, over one large object. */
export function manyRules(count: number, fields: number): MeasuredExpression[] {
  const names = Array.from({ length: fields }, (_, index) => `field${index}`);
  const type = objectType(Object.fromEntries(names.map(name => [name, types.int])));
  const self = Object.fromEntries(names.map((name, index) => [name, index]));
  return Array.from({ length: count }, (_, index) => ({
    name: `rule ${index}`,
    text: `self.field${index} <= self.field${index + count}`,
    type,
    self,
  }));
}

function objectType(fields: Readonly<Record<string, CelType>>): CelType {
  const known = new Map(Object.entries(fields).map(([member, type]) => [member, { type, member }]));
  return { kind: 'object', name: 'measured', field: name => known.get(name) };
}
