import type { OverloadDeclaration } from '../types/declarations.ts';
import type { CelType } from '../types/type.ts';

/** Creates an overload of a function called as `f(a, b)`. */
export function global(id: string, parameters: readonly CelType[], result: CelType): OverloadDeclaration {
  return { id, parameters, result, isMethod: false };
}

/** Creates an overload of a method called as `a.f(b)`; the first parameter is the target. */
export function method(id: string, parameters: readonly CelType[], result: CelType): OverloadDeclaration {
  return { id, parameters, result, isMethod: true };
}
