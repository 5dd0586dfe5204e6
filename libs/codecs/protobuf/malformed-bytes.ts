import { pathText } from '@binnacle/api-objects';
import { badRequest } from '@binnacle/status-errors';

/** Error for bytes that are not a valid message; readers add the path of the bytes as the error propagates. */
export class MalformedBytes extends Error {
  readonly why: string;
  readonly #path: (string | number)[] = [];

  constructor(why: string) {
    super(why);
    this.why = why;
  }

  /** Prepends the field, and in a list the index, of the bytes to the path. */
  within(...steps: readonly (string | number)[]): void {
    this.#path.unshift(...steps);
  }

  /** Path from the message, for example `spec.ports[0].port`; '' for the message itself. */
  get path(): string {
    return pathText(this.#path);
  }
}

/** Runs a reader on the bytes of a body; converts MalformedBytes to a BadRequest that names the field. */
export function refuseMalformed<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof MalformedBytes)) throw error;
    const where = error.path === '' ? '' : `${error.path}: `;
    throw badRequest(`the body is not a valid protobuf message: ${where}${error.why}`);
  }
}
