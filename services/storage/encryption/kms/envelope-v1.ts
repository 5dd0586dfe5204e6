import { kmsV1 } from '@binnacle/proto';
import type { StorageKey } from '@binnacle/storage-contract';
import type { FailureLog } from '@binnacle/telemetry';
import type { Cipher } from '../ciphers/local-ciphers.ts';
import type { Decrypted, Transformer } from '../ciphers/transformer.ts';
import { cachedCheck, type HealthIntervals } from './cached-check.ts';
import { type DataKeys, dataKeyId } from './data-keys.ts';
import type { KmsConnection } from './kms-connection.ts';
import { KmsError, quote } from './kms-error.ts';

/** The version of the API, as plugins name it. */
const version = 'v1beta1';

/** The length of an encrypted data key is stored in two bytes. */
const lengthBytes = 2;
const maxEncryptedKeyBytes = 65_535;

/** Transforms values with a plugin of one version of the API, without the prefix of the provider. */
export interface Envelope extends Transformer {
  /** Rejects with a KmsError if the plugin did not work some seconds ago. */
  checkHealth(): Promise<void>;
}

/** Options of an envelope. */
export interface EnvelopeOptions {
  /** Name of the provider in the configuration. */
  readonly name: string;
  readonly connection: KmsConnection;
  readonly keys: DataKeys;
  readonly intervals: HealthIntervals;
  /** The log of failed health checks. */
  readonly failures: FailureLog;
}

/**
 * Creates the envelope of the API v1, in the format of kube-apiserver 1.26: the length of the encrypted data key, the key, and the
 * value in AES-GCM. Each write has a data key of its own. Values in AES-CBC, which kube-apiserver wrote before 1.25, are refused: with
 * them, values of a few bytes could be forged from any value whose beginning is guessed.
 */
export function createEnvelopeV1({ name, connection, keys, intervals, failures }: EnvelopeOptions): Envelope {
  const plugin = connection.serve(kmsV1.keyManagementServiceContract);
  let checked: Promise<void> | undefined;

  /** Checks once that the plugin has the API in this version. */
  function checkVersion(): Promise<void> {
    checked ??= plugin.version({ version }).then(answer => {
      if (answer.version !== version)
        throw new KmsError(
          'malformed',
          `KMS plugin "${name}" has the API version ${quote(answer.version)}, not ${version}`,
        );
    });
    checked.catch(() => {
      checked = undefined;
    });
    return checked;
  }

  async function encryptKey(plain: Uint8Array): Promise<Uint8Array> {
    await checkVersion();
    const { cipher } = await plugin.encrypt({ version, plain });
    if (cipher.length === 0 || cipher.length > maxEncryptedKeyBytes)
      throw new KmsError(
        'malformed',
        `KMS plugin "${name}" answered with an encrypted data key of ${cipher.length} bytes`,
      );
    return cipher;
  }

  async function decryptKey(cipher: Uint8Array): Promise<Uint8Array> {
    await checkVersion();
    return (await plugin.decrypt({ version, cipher })).plain;
  }

  async function pingPlugin(): Promise<void> {
    const ping = Buffer.from('ping');
    if (!ping.equals(await decryptKey(await encryptKey(ping))))
      throw new KmsError('malformed', `KMS plugin "${name}" does not decrypt what it has encrypted`);
  }

  return {
    async encrypt(value, key) {
      const dataKey = keys.generate();
      const encryptedKey = await encryptKey(dataKey.bytes);
      keys.add(dataKeyId(encryptedKey), dataKey.cipher);
      const length = Buffer.alloc(lengthBytes);
      length.writeUInt16BE(encryptedKey.length);
      return Buffer.concat([length, encryptedKey, ...dataKey.cipher.encrypt(value, key)]);
    },
    decrypt(stored, key) {
      const { encryptedKey, data } = parseStored(stored);
      const id = dataKeyId(encryptedKey);
      const cipher = keys.find(id);
      if (cipher !== undefined) return decryptWith(cipher, data, key);
      return keys.open(id, () => decryptKey(encryptedKey)).then(opened => decryptWith(opened, data, key));
    },
    checkHealth: cachedCheck(pingPlugin, { intervals, failures }),
  };
}

function parseStored(stored: Uint8Array): { encryptedKey: Uint8Array; data: Uint8Array } {
  const view = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  const end = view.length < lengthBytes ? 0 : lengthBytes + view.readUInt16BE();
  if (end <= lengthBytes || end > view.length) throw new Error('the stored data has no whole data key');
  return { encryptedKey: view.subarray(lengthBytes, end), data: view.subarray(end) };
}

function decryptWith(cipher: Cipher, data: Uint8Array, key: StorageKey): Decrypted {
  return { value: cipher.decrypt(data, key), isStale: false };
}
