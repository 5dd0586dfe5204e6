const entries = new WeakMap<object, Map<unknown, unknown>>();

interface MetadataReflection {
  getMetadata?(key: unknown, target: object): unknown;
  getOwnMetadata?(key: unknown, target: object): unknown;
  defineMetadata?(key: unknown, value: unknown, target: object): void;
}

/**
 * Adds the three metadata functions to `Reflect` that the certificate library needs when it is loaded; keeps an existing
 * implementation.
 */
export function installMetadataReflection(): void {
  const reflect = Reflect as MetadataReflection;
  if (reflect.getMetadata) return;
  reflect.getOwnMetadata = (key, target) => entries.get(target)?.get(key);
  reflect.getMetadata = (key, target) => {
    for (let owner: object | null = target; owner; owner = Object.getPrototypeOf(owner)) {
      const own = entries.get(owner);
      if (own?.has(key)) return own.get(key);
    }
    return undefined;
  };
  reflect.defineMetadata = (key, value, target) => {
    const own = entries.get(target) ?? new Map<unknown, unknown>();
    entries.set(target, own.set(key, value));
  };
}
