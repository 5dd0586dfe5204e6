import type { JsonValue } from './json.ts';

/** Values with no more values below them are worked on at once: well below a millisecond. */
export const valuesAtOnce = 1000;

/**
 * The containers within one value that have more than `valuesAtOnce` values below them. Their keys are kept: to ask for them
 * takes long itself.
 */
export class LargeContainers {
  readonly #keys = new Map<JsonValue, readonly (string | number)[]>();

  /** Counts the values below one, no further than matters. */
  valuesBelow(value: JsonValue | undefined): number {
    if (typeof value !== 'object' || value === null) return 0;
    return this.#keys.has(value) ? valuesAtOnce + 1 : this.#count(value);
  }

  /** The keys, or positions, of a container that was found to be large; undefined for another. */
  findKeys(container: JsonValue): readonly (string | number)[] | undefined {
    return this.#keys.get(container);
  }

  #count(container: JsonValue[] | { [key: string]: JsonValue }): number {
    const keys = Array.isArray(container) ? [...container.keys()] : Object.keys(container);
    let values = keys.length;
    for (const key of keys) {
      if (values > valuesAtOnce) break;
      const member = (container as { readonly [key: string]: JsonValue })[key]; // a position or a key of it
      if (typeof member === 'object' && member !== null) values += this.#count(member);
    }
    if (values > valuesAtOnce) this.#keys.set(container, keys);
    return values;
  }
}
