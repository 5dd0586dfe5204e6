/** What one side of a TLS connection shows and trusts, as PEM. */
export interface TlsMaterial {
  /** Certificates of the authorities that the peer's certificate must come from. */
  readonly ca: Buffer;
  readonly cert: Buffer;
  readonly key: Buffer;
}
