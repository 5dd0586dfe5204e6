/** What a caller gave is no request to a store: a text that is no key, or a transaction that contradicts itself. */
export class MalformedRequest extends Error {
  override readonly name = 'MalformedRequest';
}
