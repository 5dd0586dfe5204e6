import type { OverloadDeclaration } from '../types/declarations.ts';
import type { CelType } from '../types/type.ts';

/** A signature of a function that is called as `f(a, b)`. */
export function global(id: string, parameters: readonly CelType[], result: CelType): OverloadDeclaration {
  return { id, parameters, result, isMethod: false };
}

/** A signature of a function that is called as `a.f(b)`; the first parameter is the target. */
export function method(id: string, parameters: readonly CelType[], result: CelType): OverloadDeclaration {
  return { id, parameters, result, isMethod: true };
}
