import type { CelType } from './type.ts';

/** Whether two types have the same structure, regardless of their origins. */
export function sameType(one: CelType, other: CelType): boolean {
  if (one === other) return true;
  switch (one.kind) {
    case 'primitive':
      return other.kind === 'primitive' && other.name === one.name;
    case 'dyn':
    case 'error':
      return other.kind === one.kind;
    case 'list':
      return other.kind === 'list' && sameType(one.element, other.element);
    case 'map':
      return other.kind === 'map' && sameType(one.key, other.key) && sameType(one.value, other.value);
    case 'object':
    case 'parameter':
      return other.kind === one.kind && other.name === one.name;
    case 'opaque':
      return other.kind === 'opaque' && other.name === one.name && allSame(one.parameters, other.parameters);
    case 'type':
      if (other.kind !== 'type') return false;
      if (one.of === undefined || other.of === undefined) return one.of === other.of;
      return sameType(one.of, other.of);
  }
}

function allSame(some: readonly CelType[], others: readonly CelType[]): boolean {
  return (
    some.length === others.length &&
    some.every((type, index) => {
      const other = others[index];
      return other !== undefined && sameType(type, other);
    })
  );
}
