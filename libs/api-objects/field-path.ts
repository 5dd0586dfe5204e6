/** The path of a field within an object, as error messages name it: `spec.ports[0].name`, `metadata.labels[a.b]`. */
export class FieldPath {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The path of a field below this one. */
  child(...names: readonly string[]): FieldPath {
    const tail = names.join('.');
    return new FieldPath(this.#text === '' ? tail : `${this.#text}.${tail}`);
  }

  /** The path of an element of this list. */
  index(position: number): FieldPath {
    return new FieldPath(`${this.#text}[${position}]`);
  }

  /** The path of an entry of this map. */
  key(name: string): FieldPath {
    return new FieldPath(`${this.#text}[${name}]`);
  }

  /** The path as text. */
  toString(): string {
    return this.#text;
  }
}

/** Starts a field path at the named fields; without a name it is the object itself. */
export function fieldPath(...names: readonly string[]): FieldPath {
  return new FieldPath(names.join('.'));
}
