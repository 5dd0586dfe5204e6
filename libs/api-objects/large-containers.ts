import type { JsonValue } from './json.ts';

/** Values with at most this many nested values are processed in one step, in well under 1 ms. */
export const valuesAtOnce = 1000;

/**
 * The containers within one value that have more than `valuesAtOnce` nested values. Their keys are cached, because listing them
 * takes long.
 */
export class LargeContainers {
  readonly #keys = new Map<JsonValue, readonly (string | number)[]>();

  /** Counts the values nested in a value; stops beyond `valuesAtOnce`. */
  valuesBelow(value: JsonValue | undefined): number {
    if (typeof value !== 'object' || value === null) return 0;
    return this.#keys.has(value) ? valuesAtOnce + 1 : this.#count(value);
  }

  /** Returns the keys or indexes of a large container; undefined for others. */
  findKeys(container: JsonValue): readonly (string | number)[] | undefined {
    return this.#keys.get(container);
  }

  #count(container: JsonValue[] | { [key: string]: JsonValue }): number {
    const keys = Array.isArray(container) ? [...container.keys()] : Object.keys(container);
    let values = keys.length;
    for (const key of keys) {
      if (values > valuesAtOnce) break;
      const member = (container as { readonly [key: string]: JsonValue })[key]; // An index or key of the container.
      if (typeof member === 'object' && member !== null) values += this.#count(member);
    }
    if (values > valuesAtOnce) this.#keys.set(container, keys);
    return values;
  }
}
