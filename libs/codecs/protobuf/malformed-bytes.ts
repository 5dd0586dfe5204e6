import { pathText } from '@binnacle/api-objects';
import { badRequest } from '@binnacle/status-errors';

/** The error of readers for bytes that are no valid message; on its way up it learns where they stand. */
export class MalformedBytes extends Error {
  readonly why: string;
  readonly #path: (string | number)[] = [];

  constructor(why: string) {
    super(why);
    this.why = why;
  }

  /** Puts the field, and in a list the position, that the bytes were read for in front of the path. */
  within(...steps: readonly (string | number)[]): void {
    this.#path.unshift(...steps);
  }

  /** The path from the message down, for example `spec.ports[0].port`; '' for the message itself. */
  get path(): string {
    return pathText(this.#path);
  }
}

/** Runs a reader over the bytes of a body; malformed ones are a BadRequest that names the field. */
export function refuseMalformed<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof MalformedBytes)) throw error;
    const where = error.path === '' ? '' : `${error.path}: `;
    throw badRequest(`the body is not a valid protobuf message: ${where}${error.why}`);
  }
}
