import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** The bytes of one document in one encoding. */
export interface OpenApiDocument {
  readonly bytes: Buffer;
  /** SHA-512 of the bytes in upper-case hex; equal on every replica. */
  readonly hash: string;
  /** Returns the compressed bytes, computed on the first call. */
  gzipped(): Promise<Buffer>;
}

const compress = promisify(gzip);

/** Creates a document from its bytes. */
export function openApiDocumentFrom(bytes: Buffer): OpenApiDocument {
  let compressed: Promise<Buffer> | undefined;
  return {
    bytes,
    hash: createHash('sha512').update(bytes).digest('hex').toUpperCase(),
    gzipped() {
      compressed ??= compress(bytes);
      return compressed;
    },
  };
}
