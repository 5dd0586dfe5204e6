/** A request that a store cannot read: a text that is no key, or a transaction that contradicts itself. */
export class MalformedRequest extends Error {
  override readonly name = 'MalformedRequest';
}
