import { randomUUID } from 'node:crypto';
import { type EncryptedObject, encryptedObjectCodec, kmsV2 } from '@binnacle/proto';
import type { StorageKey } from '@binnacle/storage-contract';
import type { Logger, Metrics } from '@binnacle/telemetry';
import type { Cipher } from '../ciphers/local-ciphers.ts';
import { dataKeyId } from './data-keys.ts';
import { type PluginParts, pluginPartsProblem } from './encrypted-object.ts';
import type { Envelope, EnvelopeOptions } from './envelope-v1.ts';
import { KmsError } from './kms-error.ts';
import { PluginStatus } from './plugin-status.ts';

/** Writes with one data key; with random nonces of 96 bits, two are equal with a probability of 2^-57. */
const mostWrites = 2 ** 20;

/** Options of an envelope of the API v2; the intervals are those between two calls of `Status`. */
interface EnvelopeV2Options extends EnvelopeOptions {
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** The data key that writes use. */
interface WriteKey {
  readonly cipher: Cipher;
  readonly parts: PluginParts;
  writes: number;
}

/**
 * Creates the envelope of the API v2, in the format of kube-apiserver 1.26: a protobuf message of the encrypted data key, what the
 * plugin says about it, and the value in AES-GCM.
 *
 * Writes share a data key while the status of the plugin is good and names the key that the data key is encrypted with, as those of
 * kube-apiserver do since 1.27. Otherwise the plugin encrypts a new data key for each write, as in 1.26; so a plugin that does not work
 * fails writes within its interval of `Status`. A value is stale when the plugin encrypts with another key than when the value was
 * written, and while no status is known.
 */
export function createEnvelopeV2(options: EnvelopeV2Options, signal: AbortSignal): Envelope {
  const { name, connection, keys, log } = options;
  const plugin = connection.serve(kmsV2.keyManagementServiceContract);
  const status = new PluginStatus({ ...options, ask: () => plugin.status({}) }, signal);
  let current: WriteKey | undefined;
  let renewing: Promise<WriteKey> | undefined;

  async function renew(): Promise<WriteKey> {
    const { bytes, cipher } = keys.generate();
    const answer = await plugin.encrypt({ plaintext: bytes, uid: randomUUID() });
    const parts = { keyId: answer.keyId, encryptedDek: answer.ciphertext, annotations: answer.annotations };
    const problem = pluginPartsProblem(parts);
    if (problem !== undefined)
      throw new KmsError(
        'malformed',
        `KMS plugin "${name}" answered to encrypt with a wrong answer: ${problem}`,
      );
    keys.add(idOf(parts), cipher);
    // The plugin has another key since its last status.
    if (parts.keyId !== status.keyId) void status.check().catch(() => {}); // Logged.
    log.debug('new data key', { provider: name });
    current = { cipher, parts, writes: 0 };
    return current;
  }

  /** Whether the current data key is good for one more write. */
  const isUsable = (key: WriteKey | undefined): key is WriteKey =>
    key !== undefined && status.isGood && key.parts.keyId === status.keyId && key.writes < mostWrites;

  function encryptWith(writeKey: WriteKey, value: Uint8Array, key: StorageKey): Uint8Array {
    writeKey.writes++;
    const encryptedData = Buffer.concat(writeKey.cipher.encrypt(value, key));
    return encryptedObjectCodec.encode({ ...writeKey.parts, encryptedData });
  }

  function decryptKey({ encryptedDek, keyId, annotations }: EncryptedObject): Promise<Uint8Array> {
    const request = { ciphertext: encryptedDek, uid: randomUUID(), keyId, annotations };
    return plugin.decrypt(request).then(({ plaintext }) => plaintext);
  }

  return {
    encrypt(value, key) {
      if (isUsable(current)) return encryptWith(current, value, key);
      renewing ??= renew().finally(() => {
        renewing = undefined;
      });
      return renewing.then(renewed => encryptWith(renewed, value, key));
    },
    decrypt(stored, key) {
      const object = encryptedObjectCodec.decode(stored);
      if (object.encryptedData.length === 0) throw new Error('encrypted data is empty');
      const problem = pluginPartsProblem(object);
      if (problem !== undefined) throw new Error(`the stored data is malformed: ${problem}`);
      const decryptWith = (cipher: Cipher) => ({
        value: cipher.decrypt(object.encryptedData, key),
        isStale: object.keyId !== status.keyId,
      });
      const id = idOf(object);
      const cipher = keys.find(id);
      if (cipher !== undefined) return decryptWith(cipher);
      return keys.open(id, () => decryptKey(object)).then(decryptWith);
    },
    checkHealth: () => status.last,
  };
}

/** Identifies a data key by all that the plugin needs to decrypt it. */
function idOf({ encryptedDek, keyId, annotations }: PluginParts): string {
  const names = Object.keys(annotations).sort();
  return dataKeyId(encryptedDek, keyId, ...names.flatMap(name => [name, annotations[name] ?? '']));
}
