import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { kmsV1, kmsV2, type ServiceContract, type UnaryMethod } from '@binnacle/proto';
import { type handleUnaryCall, Server, ServerCredentials, status } from '@grpc/grpc-js';

/** Options of a plugin. */
interface KmsPluginOptions {
  /** `unix:///tmp/kms.sock`, or `unix:///@kms`. */
  readonly endpoint: string;
  /** File in which the plugin keeps its keys, so that one that starts later has them; default: they end with the plugin. */
  readonly keyFile?: string;
}

/** A call as a fault sees it. */
interface PluginCall {
  /** `v1/Encrypt`, `v2/Status`. */
  readonly method: string;
  readonly request: unknown;
}

/**
 * Changes what the plugin answers: `answer` gives its usual answer. A Buffer is sent as it is, whatever message is due; an error with a
 * code becomes the status of the call.
 */
type Fault = (call: PluginCall, answer: () => unknown) => unknown;

/** The usual answers of a service, by method. */
type Answers<Service> = {
  readonly [Name in keyof Service]: Service[Name] extends UnaryMethod<infer Request, infer Response>
    ? (request: Request) => Response
    : never;
};

interface PluginKey {
  readonly id: string;
  readonly secret: Buffer;
}

/** The annotations of every answer of the API v2. */
const annotations = { 'algorithm.kms.example.com': Buffer.from([0, 1, 254, 255]) };

/**
 * A KMS plugin with both versions of the API, on a Unix socket. It encrypts with AES-256-GCM and keys of its own; a key decrypts only
 * what was encrypted with it, with the same annotations and key id.
 */
export class KmsPlugin implements AsyncDisposable {
  /** Calls so far, in their order. */
  readonly calls: PluginCall[] = [];
  /** The highest number of calls that were under way at once. */
  mostAtOnce = 0;
  fault: Fault = (_call, answer) => answer();
  readonly #options: KmsPluginOptions;
  readonly #server: Server;
  readonly #keys: PluginKey[] = [];
  readonly #uids = new Set<string>();
  #underWay = 0;

  private constructor(options: KmsPluginOptions) {
    this.#options = options;
    this.#server = new Server({ 'grpc.max_send_message_length': -1 });
    this.#serve('v1', kmsV1.keyManagementServiceContract, {
      version: () => ({ version: 'v1beta1', runtimeName: 'test', runtimeVersion: '0.1.0' }),
      encrypt: ({ plain }) => ({ cipher: this.#encrypt(plain, '') }),
      decrypt: ({ cipher }) => ({ plain: this.#decrypt(cipher, '') }),
    });
    this.#serve('v2', kmsV2.keyManagementServiceContract, {
      status: () => ({ version: 'v2alpha1', healthz: 'ok', keyId: this.keyId }),
      encrypt: request => {
        this.#noteUid(request.uid);
        return {
          ciphertext: this.#encrypt(request.plaintext, bound(annotations)),
          keyId: this.keyId,
          annotations,
        };
      },
      decrypt: request => {
        this.#noteUid(request.uid);
        const ids = this.#keys.map(({ id }) => id);
        if (!ids.includes(request.keyId)) throw failure(status.NOT_FOUND, 'no such key');
        return { plaintext: this.#decrypt(request.ciphertext, bound(request.annotations), request.keyId) };
      },
    });
    const { keyFile } = options;
    if (keyFile !== undefined && existsSync(keyFile)) this.#keys.push(...readKeys(keyFile));
    else this.rotate();
  }

  /** Starts a plugin; the socket of a plugin that was killed is replaced. */
  static async start(options: KmsPluginOptions): Promise<KmsPlugin> {
    const plugin = new KmsPlugin(options);
    const path = new URL(options.endpoint).pathname;
    const isAbstract = path.startsWith('/@');
    if (!isAbstract) rmSync(path, { force: true });
    const target = isAbstract ? `unix:\0${path.slice(2)}` : `unix://${path}`;
    await new Promise<void>((resolve, reject) => {
      plugin.#server.bindAsync(target, ServerCredentials.createInsecure(), error =>
        error === null ? resolve() : reject(error),
      );
    });
    return plugin;
  }

  /** The key that the plugin encrypts with. */
  get keyId(): string {
    return this.#keys.at(-1)?.id ?? '';
  }

  get endpoint(): string {
    return this.#options.endpoint;
  }

  /** Encrypts with a new key from now on; earlier ones decrypt. */
  rotate(): string {
    this.#keys.push({
      id: `key-${this.#keys.length + 1}-${randomBytes(4).toString('hex')}`,
      secret: randomBytes(32),
    });
    this.#keep();
    return this.keyId;
  }

  /** Destroys every key but the current one. */
  forgetOldKeys(): void {
    this.#keys.splice(0, this.#keys.length - 1);
    this.#keep();
  }

  /** Number of calls of a method so far. */
  count(method: string): number {
    return this.calls.filter(call => call.method === method).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.forceShutdown();
  }

  #serve<Service extends object>(
    api: string,
    { methods }: ServiceContract<Service>,
    answers: Answers<Service>,
  ): void {
    for (const { name, path, request: requestCodec, response } of methods) {
      const usual = answers[name as keyof Service] as (request: unknown) => unknown; // The contract names the methods of its service.
      const definition = {
        path,
        requestStream: false,
        responseStream: false,
        requestSerialize: requestCodec.encode as (value: unknown) => Buffer,
        requestDeserialize: requestCodec.decode,
        responseSerialize: (value: unknown) =>
          Buffer.isBuffer(value) ? value : (response.encode(value) as Buffer),
        responseDeserialize: response.decode,
      } as const;
      const handle: handleUnaryCall<unknown, unknown> = ({ request }, reply) => {
        this.#answer({ method: `${api}/${path.split('/').at(-1)}`, request }, usual).then(
          value => reply(null, value),
          (error: Error) => reply(error),
        );
      };
      this.#server.addService({ [name]: definition }, { [name]: handle });
    }
  }

  async #answer(call: PluginCall, usual: (request: unknown) => unknown): Promise<unknown> {
    this.calls.push(call);
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#underWay);
    try {
      return await this.fault(call, () => usual(call.request));
    } finally {
      this.#underWay--;
    }
  }

  #encrypt(plain: Uint8Array, authenticated: string): Buffer {
    const key = this.#keys.at(-1)!; // There is always one.
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key.secret, nonce).setAAD(Buffer.from(authenticated));
    return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  }

  #decrypt(encrypted: Uint8Array, authenticated: string, keyId?: string): Buffer {
    for (const key of this.#keys) {
      if (keyId !== undefined && key.id !== keyId) continue;
      try {
        const decipher = createDecipheriv('aes-256-gcm', key.secret, encrypted.subarray(0, 12));
        decipher.setAAD(Buffer.from(authenticated)).setAuthTag(encrypted.subarray(-16));
        return Buffer.concat([decipher.update(encrypted.subarray(12, -16)), decipher.final()]);
      } catch {
        // Of another key, or changed.
      }
    }
    throw failure(status.INVALID_ARGUMENT, 'not encrypted with a key of this plugin');
  }

  #noteUid(uid: string): void {
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(uid) || this.#uids.has(uid))
      throw failure(status.INVALID_ARGUMENT, 'the uid of the call is missing, or was that of another call');
    this.#uids.add(uid);
  }

  #keep(): void {
    const { keyFile } = this.#options;
    const keys = this.#keys.map(({ id, secret }) => ({ id, secret: secret.toString('base64') }));
    if (keyFile !== undefined) writeFileSync(keyFile, JSON.stringify(keys), { mode: 0o600 });
  }
}

/** An error that becomes the status of a call. */
export function failure(code: status, details: string): Error {
  return Object.assign(new Error(details), { code, details });
}

function bound(given: Readonly<Record<string, Uint8Array>>): string {
  return JSON.stringify(
    Object.entries(given).map(([name, value]) => [name, Buffer.from(value).toString('hex')]),
  );
}

function readKeys(file: string): PluginKey[] {
  const keys = JSON.parse(readFileSync(file, 'utf8')) as { id: string; secret: string }[];
  return keys.map(({ id, secret }) => ({ id, secret: Buffer.from(secret, 'base64') }));
}
