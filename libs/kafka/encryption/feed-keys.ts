import { hkdfSync } from 'node:crypto';
import { readSecretFile } from '@binnacle/backend-access';

/** A key that records of the change feed are encrypted with. */
interface FeedKey {
  /** Eight bytes that name the key in records; they are derived from it and do not give it away. */
  readonly id: Buffer;
  /** 32 bytes. */
  readonly secret: Buffer;
}

/** The keys of a service: the first one encrypts, all of them decrypt. */
export interface FeedKeys {
  readonly encryption: FeedKey;
  /** By id in hexadecimal. */
  readonly byId: ReadonlyMap<string, FeedKey>;
}

const keyBytes = 32;
const keyIdBytes = 8;

/**
 * Reads feed keys from a file: one key a line, 32 bytes in base64; empty lines are ignored. Throws without quoting the
 * file when a line is anything else, or when a key occurs twice.
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

/** The key of one session of a writer: every writer encrypts under a key of its own, so that its counters are nonces. */
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
