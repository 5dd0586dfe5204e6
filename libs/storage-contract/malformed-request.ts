/** A request that is invalid for every store: a text that is not a key, or a transaction that contradicts itself. */
export class MalformedRequest extends Error {
  override readonly name = 'MalformedRequest';
}
