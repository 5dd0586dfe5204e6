import { hkdfSync } from 'node:crypto';
import { readSecretFile } from '@binnacle/backend-access';

/** A key that encrypts records of the change feed. */
interface FeedKey {
  /** Id of the key in records, 8 bytes; it is derived from the key and does not reveal it. */
  readonly id: Buffer;
  /** 32 bytes. */
  readonly secret: Buffer;
}

/** The feed keys of a service: the first one encrypts, all of them decrypt. */
export interface FeedKeys {
  readonly encryption: FeedKey;
  /** Keys by id, in hexadecimal. */
  readonly byId: ReadonlyMap<string, FeedKey>;
}

const keyBytes = 32;
const keyIdBytes = 8;

/**
 * Reads feed keys from a file: one key a line, 32 bytes in base64; empty lines are ignored. Throws an Error, which does
 * not quote the file, for an invalid line and a repeated key.
 */
export async function readFeedKeys(file: string): Promise<FeedKeys> {
  const lines = (await readSecretFile(file)).split(/\r?\n/);
  const byId = new Map<string, FeedKey>();
  let encryption: FeedKey | undefined;
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const key = feedKeyFrom(line.trim());
    if (key === undefined) throw new Error(`line ${index + 1} of ${file} is not a key of 32 bytes in base64`);
    const id = key.id.toString('hex');
    if (byId.has(id)) throw new Error(`line ${index + 1} of ${file} repeats a key`);
    byId.set(id, key);
    encryption ??= key;
  }
  if (encryption === undefined) throw new Error(`${file} holds no key`);
  return { encryption, byId };
}

function feedKeyFrom(text: string): FeedKey | undefined {
  const secret = Buffer.from(text, 'base64');
  if (secret.length !== keyBytes || secret.toString('base64') !== text) return undefined;
  return { id: derive(secret, { salt: '', purpose: 'binnacle feed key id', bytes: keyIdBytes }), secret };
}

/** Derives the key of one session of a writer. Each session has its own key, so its counters can be nonces. */
export function sessionKey(key: FeedKey, salt: Buffer): Buffer {
  return derive(key.secret, { salt, purpose: 'binnacle feed session', bytes: keyBytes });
}

interface Derivation {
  readonly salt: Buffer | string;
  readonly purpose: string;
  readonly bytes: number;
}

function derive(secret: Buffer, { salt, purpose, bytes }: Derivation): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, purpose, bytes));
}
