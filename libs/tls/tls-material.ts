import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The certificate, key and trusted authorities of one end of a TLS connection, in PEM. */
export interface TlsMaterial {
  /** Certificates of the authorities, one of which must have signed the peer's certificate. */
  readonly ca: Buffer;
  readonly cert: Buffer;
  readonly key: Buffer;
  /** Adds a listener for changes of the properties; absent: they do not change. */
  onChange?(listener: () => void): void;
}

/** Reads `ca.crt`, `tls.crt` and `tls.key` of a directory; the error names a file that cannot be read. */
export async function loadTls(directory: string): Promise<TlsMaterial> {
  const [ca, cert, key] = await Promise.all(
    ['ca.crt', 'tls.crt', 'tls.key'].map(name => readFile(join(directory, name))),
  );
  if (!ca || !cert || !key) throw new Error(`${directory} lacks TLS files`);
  return { ca, cert, key };
}
