import { type KeyRange, SortedKeys } from './sorted-keys.ts';

/** Keys of a type's objects by their value of one label; objects without the label are not included. */
export class LabelIndex {
  /** A value of a single object is stored as a plain key, to save memory. */
  readonly #byValue = new Map<string, string | SortedKeys>();

  /** Applies a change of an object's value; undefined: the object does not have the label. */
  change(key: string, before: string | undefined, after: string | undefined): void {
    if (before !== undefined && before !== after) this.#delete(before, key);
    if (after === undefined) return;
    const found = this.#byValue.get(after);
    if (typeof found === 'object') found.add(key);
    else if (found === undefined) this.#byValue.set(after, key);
    else if (found !== key) {
      const keys = new SortedKeys();
      keys.add(found);
      keys.add(key);
      this.#byValue.set(after, keys);
    }
  }

  /** Adds an object whose key is greater than all others. */
  append(key: string, value: string): void {
    const found = this.#byValue.get(value);
    if (typeof found === 'object') found.append(key);
    else if (found === undefined) this.#byValue.set(value, key);
    else {
      const keys = new SortedKeys();
      keys.append(found);
      keys.append(key);
      this.#byValue.set(value, keys);
    }
  }

  /** Counts the objects of a range that have one of the distinct values. */
  count(values: readonly string[], range: KeyRange | undefined): number {
    let count = 0;
    for (const value of values) {
      const found = this.#byValue.get(value);
      if (typeof found === 'object') count += found.count(range);
      else if (found !== undefined && isWithin(found, range)) count++;
    }
    return count;
  }

  /** Returns the sorted keys of the objects of a range that have one of the values. */
  keys(values: readonly string[], range: KeyRange | undefined): string[] {
    const keys: string[] = [];
    let runs = 0;
    for (const value of values) {
      const found = this.#byValue.get(value);
      if (found === undefined) continue;
      if (typeof found === 'object') found.collect(range, keys);
      else if (isWithin(found, range)) keys.push(found);
      runs++;
    }
    // The sort merges runs that are already sorted.
    if (runs > 1) keys.sort((a, b) => (a < b ? -1 : 1));
    return keys;
  }

  #delete(value: string, key: string): void {
    const found = this.#byValue.get(value);
    if (typeof found === 'object') {
      found.delete(key);
      if (found.size === 0) this.#byValue.delete(value);
    } else if (found === key) this.#byValue.delete(value);
  }
}

function isWithin(key: string, range: KeyRange | undefined): boolean {
  return range === undefined || (key >= range.from && key < range.to);
}
