/** The name of the record header with the parameters of the encryption. */
export const encryptionHeaderName = 'binnacle-seal';

/** A record as stored in the topic. */
export interface TopicRecord {
  readonly offset: bigint;
  readonly key: Buffer | null;
  readonly value: Buffer;
  /** The header `binnacle-seal`; undefined: the value is in plaintext. A list if an untrusted writer sets it twice. */
  readonly encryptionHeader: Buffer | readonly Buffer[] | undefined;
}
