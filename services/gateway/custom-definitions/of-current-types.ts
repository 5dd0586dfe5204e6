import type { LiveTypeRegistry, TypeRegistry } from '@binnacle/api-types';

/** What is made of all types together: made when it is first asked for, and anew when the types have changed. */
export function ofCurrentTypes<T>(registry: LiveTypeRegistry, make: (current: TypeRegistry) => T): () => T {
  let made: { readonly from: TypeRegistry; readonly value: T } | undefined;
  return () => {
    const { current } = registry;
    if (made?.from !== current) made = { from: current, value: make(current) };
    return made.value;
  };
}
