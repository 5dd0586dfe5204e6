import type { StoredObject } from './stored-object.ts';

/**
 * The objects of one namespace in order of name.
 *
 * Arrays returned by `snapshot` never change: the first change afterwards works on a copy.
 */
export class NamespaceObjects {
  readonly namespace: string;
  #sorted: StoredObject[] = [];
  #shared = false;

  constructor(namespace: string) {
    this.namespace = namespace;
  }

  get size(): number {
    return this.#sorted.length;
  }

  /** Returns all objects in an array that later changes do not modify. */
  snapshot(): readonly StoredObject[] {
    this.#shared = true;
    return this.#sorted;
  }

  /** Adds an object or replaces the one of the same name. */
  put(object: StoredObject): void {
    const objects = this.#own();
    const position = this.#search(object.name);
    if (objects[position]?.name === object.name) objects[position] = object;
    else if (position === objects.length) objects.push(object);
    else objects.splice(position, 0, object);
  }

  delete(name: string): void {
    const position = this.#search(name);
    if (this.#sorted[position]?.name === name) this.#own().splice(position, 1);
  }

  #own(): StoredObject[] {
    if (this.#shared) {
      this.#sorted = this.#sorted.slice();
      this.#shared = false;
    }
    return this.#sorted;
  }

  /** Returns the index of the name, or its insertion index. */
  #search(name: string): number {
    const objects = this.#sorted;
    let low = 0;
    let high = objects.length;
    // Listings are sorted: each object goes to the end.
    const last = objects[high - 1];
    if (last === undefined || last.name < name) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (objects[middle]!.name < name)
        low = middle + 1; // Within bounds.
      else high = middle;
    }
    return low;
  }
}
