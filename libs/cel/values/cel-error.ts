/** A failed evaluation as a value: it passes through calls, and `&&`, `||` and `?:` may absorb it. */
export class CelError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** No function of that name takes these operands. */
export function noSuchOverload(name: string): CelError {
  return new CelError(`no such overload: ${name}`);
}
