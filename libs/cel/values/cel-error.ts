/** A failed evaluation as a value: calls propagate it; `&&`, `||` and `?:` may absorb it. */
export class CelError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** Creates the error for a function without an overload for the operands. */
export function noSuchOverload(name: string): CelError {
  return new CelError(`no such overload: ${name}`);
}
