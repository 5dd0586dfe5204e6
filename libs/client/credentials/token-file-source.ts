import { readFile } from 'node:fs/promises';
import { isToken } from '../configuration/user.ts';
import { bearer, type CredentialSource, type Credentials } from './credential-source.ts';

/** A file with a token. */
interface TokenFileOptions {
  readonly path: string;
  /** The content of the file when the configuration was read. */
  readonly token: string;
  /** The credentials besides the token. */
  readonly base: Credentials;
  readonly clock: () => number;
}

/** The file is read again after this time, and not before. */
const readEveryMs = 60_000;

/**
 * A token that stands in a file, which is read again at most once a minute. While the file cannot be read, or holds no token, the last
 * token that it gave goes on.
 */
export function createTokenFileSource({ path, token, base, clock }: TokenFileOptions): CredentialSource {
  let last = { token, credentials: { ...base, authorization: bearer(token) } satisfies Credentials };
  let readAt = clock();
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    readAt = clock();
    const text = (await readFile(path, 'utf8').catch(() => '')).trim();
    if (isToken(text) && text !== last.token)
      last = { token: text, credentials: { ...base, authorization: bearer(text) } };
  }

  async function current(): Promise<Credentials> {
    if (Math.abs(clock() - readAt) >= readEveryMs) reading ??= read().finally(() => (reading = undefined));
    await reading;
    return last.credentials;
  }

  return {
    current,
    renew: async refused => (await current()) !== refused,
    [Symbol.dispose]: () => {},
  };
}
