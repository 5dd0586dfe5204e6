import { understood } from '@binnacle/api-names';
import { badRequest } from '@binnacle/status-errors';
import type { Revision, StorageKey } from '@binnacle/storage-contract';

/** The start of the next part of a list. */
interface ContinueToken {
  /** The revision that all parts show; undefined: the current one (after the first one expired). */
  readonly revision: Revision | undefined;
  /** The last key that was shown: the next part begins after it. */
  readonly startAfter: StorageKey;
}

const tokenVersions = understood.groups.meta.map(group => `${group}/v1`);
const anyRevision = -1;

/** Writes a token; keys are written relative to the list's prefix, so a token cannot reach beyond its list. */
export function encodeContinueToken(token: ContinueToken, prefix: StorageKey): string {
  const start = `${token.startAfter.slice(prefix.length)}\0`;
  const json = JSON.stringify({ v: tokenVersions[0], rv: token.revision ?? anyRevision, start });
  return Buffer.from(json).toString('base64url');
}

/** Reads a token for a list below a prefix. Throws BadRequest for one that this server did not write. */
export function decodeContinueToken(text: string, prefix: StorageKey): ContinueToken {
  const { v, rv, start } = parseToken(text);
  if (typeof v !== 'string' || !tokenVersions.includes(v)) throw notValid('its version is not known');
  if (typeof rv !== 'number' || !Number.isSafeInteger(rv) || rv === 0 || rv < anyRevision) {
    throw notValid('its resource version is not a number');
  }
  if (typeof start !== 'string' || start === '') throw notValid('its start is empty');
  const relative = start.endsWith('\0') ? start.slice(0, -1) : start;
  const isPath = relative.startsWith('/') || relative.split('/').some(part => part === '..' || part === '.');
  if (isPath || relative.includes('\0') || relative.length > 1024) throw notValid('its start is not a key');
  return {
    revision: rv === anyRevision ? undefined : rv,
    startAfter: `${prefix}${relative}` as StorageKey, // Begins with a key and holds no zero byte.
  };
}

function parseToken(text: string): { v?: unknown; rv?: unknown; start?: unknown } {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Refused below: text that is not JSON is not a token.
  }
  throw notValid('it cannot be read');
}

function notValid(why: string): Error {
  return badRequest(`invalid continue token: ${why}`);
}
