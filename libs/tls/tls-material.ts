import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The certificate and authorities of one side of a TLS connection, as PEM. */
export interface TlsMaterial {
  /** Certificates of the authorities that the peer's certificate must come from. */
  readonly ca: Buffer;
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Reads `ca.crt`, `tls.crt` and `tls.key` of a directory; a file that cannot be read is named in the error. */
export async function loadTls(directory: string): Promise<TlsMaterial> {
  const [ca, cert, key] = await Promise.all(
    ['ca.crt', 'tls.crt', 'tls.key'].map(name => readFile(join(directory, name))),
  );
  if (!ca || !cert || !key) throw new Error(`${directory} lacks TLS files`);
  return { ca, cert, key };
}
