import { type KeyRange, SortedKeys } from './sorted-keys.ts';

/** Keys of the objects of a type by their value of one label; those without the label are not in it. */
export class LabelIndex {
  /** A value that one object has costs no more than its entry. */
  readonly #byValue = new Map<string, string | SortedKeys>();

  /** Applies a change of an object from one value to another; undefined where it does not have the label. */
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

  /** Adds an object whose key comes after all others. */
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

  /** How many objects of a range have one of these values, which are different from each other. */
  count(values: readonly string[], range: KeyRange | undefined): number {
    let count = 0;
    for (const value of values) {
      const found = this.#byValue.get(value);
      if (typeof found === 'object') count += found.count(range);
      else if (found !== undefined && isWithin(found, range)) count++;
    }
    return count;
  }

  /** The keys of the objects of a range that have one of these values, in order. */
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
    // A sort merges what is in order already.
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
