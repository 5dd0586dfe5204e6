import type { IdentifierExpression, SelectExpression } from '../syntax/expression.ts';
import { findQualifiedName } from '../syntax/qualified-name.ts';

/** Where names are looked up, by the checker and by the evaluator; `T` is what each finds for a name. */
export interface NameScope<T> {
  /** The container in which names are looked up first, from the inside out: `a.b`; '' for none. */
  readonly container: string;
  /** The variable of the innermost loop around that has this name. */
  readonly loopVariable: (name: string) => T | undefined;
  /** The variable or type of this full name. */
  readonly declared: (fullName: string) => T | undefined;
}

/**
 * Resolves a name, or a chain of selections as a whole, `a.b.c`. Undefined where nothing has that name: then a selection
 * is a field of its operand. The variable `a` of a loop hides every declared name that begins with `a.`, as the standard
 * has it for the variables of macros.
 */
export function resolveName<T>(
  node: IdentifierExpression | SelectExpression,
  scope: NameScope<T>,
): T | undefined {
  const name = findQualifiedName(node);
  if (name === undefined) return undefined;
  const dot = name.indexOf('.');
  const variable = scope.loopVariable(dot < 0 ? name : name.slice(0, dot));
  if (variable !== undefined) return dot < 0 ? variable : undefined;
  return resolveDeclared(name, scope.container, scope.declared);
}

/** Finds the declaration of the first of the full names that a name may stand for; undefined for an undeclared name. */
export function resolveDeclared<T>(
  name: string,
  container: string,
  declared: (fullName: string) => T | undefined,
): T | undefined {
  for (const fullName of candidateNames(name, container)) {
    const found = declared(fullName);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `x` in `a.b` may be `a.b.x`, `a.x` or `x`; with a leading dot it is `x`. */
function candidateNames(name: string, container: string): string[] {
  if (name.startsWith('.')) return [name.slice(1)];
  const names: string[] = [];
  for (let prefix = container; prefix !== ''; prefix = prefix.slice(0, Math.max(prefix.lastIndexOf('.'), 0)))
    names.push(`${prefix}.${name}`);
  names.push(name);
  return names;
}
