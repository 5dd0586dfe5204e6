import { readFile } from 'node:fs/promises';

/** The files of a TLS connection to a backend, each named by a flag. */
export interface ClientTlsFiles {
  /** PEM file of the certificate authority of the backend. */
  readonly caFile: string | undefined;
  /** PEM file of the client certificate with its chain; requires `keyFile`. */
  readonly certFile: string | undefined;
  /** PEM file of the private key of the client certificate. */
  readonly keyFile: string | undefined;
}

/** The authority and client certificate of a TLS connection to a backend, in PEM. */
export interface ClientTls {
  readonly ca: Buffer;
  /** Undefined: the connection has no client certificate. */
  readonly identity: { readonly cert: Buffer; readonly key: Buffer } | undefined;
}

/**
 * Reads the TLS files of a backend; undefined if no file is named: a plaintext connection. `backend` is the name of the
 * backend in error messages, such as `etcd`. Throws an Error for a client certificate without a key or an authority, and
 * for an unreadable file.
 */
export async function readClientTls(backend: string, files: ClientTlsFiles): Promise<ClientTls | undefined> {
  const { caFile, certFile, keyFile } = files;
  if ((certFile === undefined) !== (keyFile === undefined))
    throw new Error(`the certificate file and the key file of ${backend} must be given together`);
  if (caFile === undefined) {
    if (certFile !== undefined)
      throw new Error(
        `a client certificate for ${backend} needs the certificate authority file of ${backend}`,
      );
    return undefined;
  }
  const [ca, cert, key] = await Promise.all(
    [caFile, certFile, keyFile].map(file => (file === undefined ? undefined : readFile(file))),
  );
  if (ca === undefined) throw new Error(`${caFile} could not be read`);
  return { ca, identity: cert && key ? { cert, key } : undefined };
}

/** Reads a secret, such as a password, from a file, without one trailing line break. Throws an Error if it is empty. */
export async function readSecretFile(file: string): Promise<string> {
  const secret = (await readFile(file, 'utf8')).replace(/\r?\n$/, '');
  if (secret === '') throw new Error(`the secret file ${file} is empty`);
  return secret;
}
