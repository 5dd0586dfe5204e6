import type { Expression } from './expression.ts';

/** Returns `a.b.c` for a chain of names; undefined for other expressions. */
export function findQualifiedName(node: Expression): string | undefined {
  if (node.kind === 'identifier') return node.name;
  if (node.kind !== 'select' || node.isTest) return undefined;
  const prefix = findQualifiedName(node.operand);
  return prefix === undefined ? undefined : `${prefix}.${node.field}`;
}
