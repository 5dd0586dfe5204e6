import { readFile } from 'node:fs/promises';
import type { SecureContextOptions } from 'node:tls';
import type { FollowedFiles } from './followed-files.ts';
import { assertUsablePair } from './usable-pair.ts';

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

/** Options of following the TLS files of a backend. */
interface FollowOptions {
  /** Undefined: they are only read. */
  readonly files?: FollowedFiles | undefined;
  readonly onChange?: () => void;
}

/**
 * Reads the TLS files of a backend as `readClientTls` does, and follows them: the properties of the result are the latest ones, for the
 * connections that are opened then. `onChange` is called after a change.
 */
export async function followClientTls(
  backend: string,
  names: ClientTlsFiles,
  { files, onChange }: FollowOptions = {},
): Promise<ClientTls | undefined> {
  const first = await readClientTls(backend, names);
  if (first === undefined || files === undefined) return first;
  const read = async (): Promise<ClientTls> => {
    const found = await readClientTls(backend, names);
    if (found === undefined) throw new Error(`there are no TLS files of ${backend} any more`);
    // A key that does not match its certificate yet is found here.
    assertUsablePair({ ca: found.ca, ...found.identity });
    return found;
  };
  const current = files.follow(`TLS files of ${backend}`, { first, read, ...(onChange && { onChange }) });
  return {
    get ca() {
      return current().ca;
    },
    get identity() {
      return current().identity;
    },
  };
}

/**
 * The options of Node's TLS connections to a backend. Their properties are the latest ones at each reading, so that a client that copies
 * them when it connects has the files of that time.
 */
export function latestTlsOptions(tls: Partial<ClientTls>): SecureContextOptions {
  return {
    minVersion: 'TLSv1.2',
    get ca() {
      return tls.ca;
    },
    get cert() {
      return tls.identity?.cert;
    },
    get key() {
      return tls.identity?.key;
    },
  };
}

/** Reads a secret, such as a password, from a file, without one trailing line break. Throws an Error if it is empty. */
export async function readSecretFile(file: string): Promise<string> {
  const secret = (await readFile(file, 'utf8')).replace(/\r?\n$/, '');
  if (secret === '') throw new Error(`the secret file ${file} is empty`);
  return secret;
}
