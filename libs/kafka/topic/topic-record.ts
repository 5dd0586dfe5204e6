/** The record header that tells how a value is encrypted. */
export const encryptionHeaderName = 'binnacle-seal';

/** A record as it lies in the topic. */
export interface TopicRecord {
  readonly offset: bigint;
  readonly key: Buffer | null;
  readonly value: Buffer;
  /** The header `binnacle-seal`; undefined: the value is in clear. A list when a stranger wrote it twice. */
  readonly encryptionHeader: Buffer | readonly Buffer[] | undefined;
}
