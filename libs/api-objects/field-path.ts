/** Longer names are cut: no field or key of a built-in kind is as long. */
const longestName = 512;
/** A path ends behind the name with which it gets so long. */
const longestPath = 2048;

/**
 * The path of a field within an object, as error messages name it: `spec.ports[0].name`, `metadata.labels[a.b]`. Its length is
 * bounded: a thousand findings may lie below one key of a megabyte.
 */
export class FieldPath {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The path of a field below this one. */
  child(...names: readonly string[]): FieldPath {
    const [first = '', ...others] = names;
    const tail = others.length === 0 ? shortName(first) : names.map(shortName).join('.');
    return this.#with(this.#text === '' ? tail : `.${tail}`);
  }

  /** The path of an element of this list. */
  index(position: number): FieldPath {
    return this.#with(`[${position}]`);
  }

  /** The path of an entry of this map. */
  key(name: string): FieldPath {
    return this.#with(`[${shortName(name)}]`);
  }

  /** The path as text. */
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

/** Starts a field path at the named fields; without a name it is the object itself. */
export function fieldPath(...names: readonly string[]): FieldPath {
  return new FieldPath(names.join('.'));
}
