import type { OverloadDeclaration } from '../types/declarations.ts';
import type { CelType } from '../types/type.ts';

/** The types of a function signature. */
interface Signature {
  readonly parameters: readonly CelType[];
  readonly result: CelType;
}

const monomorphic = new WeakSet<OverloadDeclaration>();

/** Creates the signature for one call: replaces its type parameters by fresh ones. */
export function instantiate(overload: OverloadDeclaration, freshParameter: () => CelType): Signature {
  if (monomorphic.has(overload)) return overload;
  const fresh = new Map<string, CelType>();
  const renamed = (type: CelType): CelType => rename(type, fresh, freshParameter);
  const signature = { parameters: overload.parameters.map(renamed), result: renamed(overload.result) };
  if (fresh.size === 0) monomorphic.add(overload);
  return signature;
}

function rename(type: CelType, fresh: Map<string, CelType>, freshParameter: () => CelType): CelType {
  const renamed = (part: CelType): CelType => rename(part, fresh, freshParameter);
  switch (type.kind) {
    case 'parameter': {
      const known = fresh.get(type.name) ?? freshParameter();
      fresh.set(type.name, known);
      return known;
    }
    case 'list':
      return { ...type, element: renamed(type.element) };
    case 'map':
      return { ...type, key: renamed(type.key), value: renamed(type.value) };
    case 'opaque':
      return { ...type, parameters: type.parameters.map(renamed) };
    case 'type':
      return type.of === undefined ? type : { ...type, of: renamed(type.of) };
    default:
      return type;
  }
}
