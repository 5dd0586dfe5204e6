import type { Expression } from './expression.ts';

/** `a.b.c` of a chain of names; undefined for anything else. */
export function qualifiedNameOf(node: Expression): string | undefined {
  if (node.kind === 'identifier') return node.name;
  if (node.kind !== 'select' || node.isTest) return undefined;
  const prefix = qualifiedNameOf(node.operand);
  return prefix === undefined ? undefined : `${prefix}.${node.field}`;
}
