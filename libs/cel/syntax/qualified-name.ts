import type { Expression } from './expression.ts';

/** `a.b.c` of a chain of names; undefined for anything else. */
export function findQualifiedName(node: Expression): string | undefined {
  if (node.kind === 'identifier') return node.name;
  if (node.kind !== 'select' || node.isTest) return undefined;
  const prefix = findQualifiedName(node.operand);
  return prefix === undefined ? undefined : `${prefix}.${node.field}`;
}
