/** Longer names, in characters, are cut; fields and keys of built-in kinds are shorter. */
const longestName = 512;
/** A longer path, in characters, is not extended further. */
const longestPath = 2048;

/**
 * The path of a field within an object for error messages: `spec.ports[0].name`, `metadata.labels[a.b]`. Its length is bounded,
 * because a thousand errors may refer to fields below a key of 1 MB.
 */
export class FieldPath {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the path of a nested field. */
  child(...names: readonly string[]): FieldPath {
    const [first = '', ...others] = names;
    const tail = others.length === 0 ? shortName(first) : names.map(shortName).join('.');
    return this.#with(this.#text === '' ? tail : `.${tail}`);
  }

  /** Returns the path of an element of this list. */
  index(position: number): FieldPath {
    return this.#with(`[${position}]`);
  }

  /** Returns the path of an entry of this map. */
  key(name: string): FieldPath {
    return this.#with(`[${shortName(name)}]`);
  }

  /** Returns the path as text. */
  toString(): string {
    return this.#text;
  }

  #with(tail: string): FieldPath {
    return this.#text.length > longestPath ? this : new FieldPath(this.#text + tail);
  }
}

function shortName(name: string): string {
  return name.length > longestName ? `${name.slice(0, longestName)}…` : name;
}

/** Creates a field path from field names; without names it is the path of the object itself. */
export function fieldPath(...names: readonly string[]): FieldPath {
  return new FieldPath(names.join('.'));
}
