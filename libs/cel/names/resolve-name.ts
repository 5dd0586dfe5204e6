import type { IdentifierExpression, SelectExpression } from '../syntax/expression.ts';
import { findQualifiedName } from '../syntax/qualified-name.ts';

/** The scope of a name lookup in the checker and the evaluator; `T` is the result for a name. */
export interface NameScope<T> {
  /** The container in which names are looked up first, from the innermost part outwards: `a.b`; '' for none. */
  readonly container: string;
  /** Finds the variable of the innermost enclosing loop with this name. */
  readonly loopVariable: (name: string) => T | undefined;
  /** Finds the variable or type with this full name. */
  readonly declared: (fullName: string) => T | undefined;
}

/**
 * Resolves a name, or a whole chain of selections, `a.b.c`. Undefined if the name is not declared: a selection is then a field of
 * its operand. A loop variable `a` hides every declared name that begins with `a.`, as the standard specifies for macro
 * variables.
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

/** Finds the first declared name among the candidates of a name; undefined if none is declared. */
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

/** Returns the candidates of a name: in `a.b`, `x` may be `a.b.x`, `a.x` or `x`; with a leading dot only `x`. */
function candidateNames(name: string, container: string): string[] {
  if (name.startsWith('.')) return [name.slice(1)];
  const names: string[] = [];
  for (let prefix = container; prefix !== ''; prefix = prefix.slice(0, Math.max(prefix.lastIndexOf('.'), 0)))
    names.push(`${prefix}.${name}`);
  names.push(name);
  return names;
}
