import { readFile } from 'node:fs/promises';
import { isToken } from '../configuration/user.ts';
import { bearer, type CredentialSource, type Credentials } from './credential-source.ts';

/** Options of a source with a token file. */
interface TokenFileOptions {
  readonly path: string;
  /** The token in the file when the configuration was read. */
  readonly token: string;
  /** Gives the credentials besides the token; equal ones are the same object. */
  readonly base: () => Credentials;
  readonly clock: () => number;
}

/** Interval after which the file is reread, in ms. */
const readEveryMs = 60_000;

/**
 * Creates a source with the token of a file, which is reread at most once a minute. While the file is unreadable or
 * holds no token, the source keeps the last token.
 */
export function createTokenFileSource({ path, token, base, clock }: TokenFileOptions): CredentialSource {
  const createLast = (text: string) => {
    const others = base();
    return { token: text, others, credentials: { ...others, authorization: bearer(text) } };
  };
  let last = createLast(token);
  let readAt = clock();
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    readAt = clock();
    const text = (await readFile(path, 'utf8').catch(() => '')).trim();
    if (isToken(text) && text !== last.token) last = createLast(text);
  }

  async function current(): Promise<Credentials> {
    if (Math.abs(clock() - readAt) >= readEveryMs) reading ??= read().finally(() => (reading = undefined));
    await reading;
    if (base() !== last.others) last = createLast(last.token);
    return last.credentials;
  }

  return {
    current,
    renew: async refused => (await current()) !== refused,
    [Symbol.dispose]: () => {},
  };
}
