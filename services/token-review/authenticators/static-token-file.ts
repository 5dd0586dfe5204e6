import { createHash, timingSafeEqual } from 'node:crypto';
import type { UserInfo } from '@binnacle/proto';
import type { Authenticator, CacheTtl, Decision } from './authenticator.ts';

interface StaticToken {
  readonly digest: Buffer;
  readonly user: UserInfo;
}

/**
 * Reads a static token file (spec 2, "Methods"): CSV lines of token, user name, user uid and, optionally, group
 * names separated by commas within one quoted field. It skips empty lines and lines that begin with `#`.
 * Throws an Error that names the line, never the token.
 */
export function parseTokenFile(text: string): Map<string, UserInfo> {
  const users = new Map<string, UserInfo>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [token, username, uid, groups] = parseCsvLine(line, index + 1);
    if (!token || !username || uid === undefined) {
      throw new Error(`token file, line ${index + 1}: a token, a user name and a user uid are required`);
    }
    if (users.has(token)) throw new Error(`token file, line ${index + 1}: the token is in the file twice`);
    const names = (groups ?? '').split(',').map(name => name.trim());
    users.set(token, { username, uid, groups: names.filter(name => name !== ''), extra: {} });
  }
  return users;
}

/** Options of the authenticator of the static token file. */
interface StaticTokenAuthenticatorOptions {
  /** Gives the users that the file has at the moment, the same object while they are the same. */
  readonly latestUsers: () => ReadonlyMap<string, UserInfo>;
  /** Audiences of the API server: the tokens are for it alone. */
  readonly apiAudiences: readonly string[];
  readonly cacheTtl: CacheTtl;
}

/**
 * Creates the authenticator of the static token file. It compares digests of tokens in constant time, so that neither look-up nor
 * comparison reveals how much of a guess is right. The tokens are valid for the audiences of the API server alone.
 */
export function createStaticTokenAuthenticator({
  latestUsers,
  apiAudiences,
  cacheTtl,
}: StaticTokenAuthenticatorOptions): Authenticator {
  let users = latestUsers();
  const digests = (): StaticToken[] =>
    [...users].map(([token, user]) => ({ digest: createDigest(token), user }));
  let tokens = digests();
  return {
    name: 'static-token-file',
    cacheTtl,
    isCheap: true,
    authenticate(token, audiences): Promise<Decision> {
      if (users !== latestUsers()) {
        users = latestUsers();
        tokens = digests();
      }
      const digest = createDigest(token);
      let found: StaticToken | undefined;
      for (const candidate of tokens) if (timingSafeEqual(candidate.digest, digest)) found = candidate;
      const shared = audiences.filter(audience => apiAudiences.includes(audience));
      return Promise.resolve(
        found && shared.length > 0
          ? { kind: 'authenticated', user: found.user, audiences: shared }
          : { kind: 'unknown' },
      );
    },
  };
}

function createDigest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function parseCsvLine(line: string, number: number): string[] {
  const fields: string[] = [];
  let rest = line;
  for (;;) {
    const match = /^\s*(?:"((?:[^"]|"")*)"|([^",]*))\s*(,|$)/.exec(rest);
    if (!match) throw new Error(`token file, line ${number}: quotes do not match`);
    fields.push(match[1] !== undefined ? match[1].replaceAll('""', '"') : (match[2] ?? '').trim());
    rest = rest.slice(match[0].length);
    if (match[3] !== ',') return fields;
  }
}
