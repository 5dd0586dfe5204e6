import { pbkdf2Sync, randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import type { KafkaConnection } from '../access/kafka-connection.ts';
import { createCluster } from '../client/create-client.ts';
import type { Cluster } from '../kafkajs/load-kafkajs.ts';

/** A request of Kafka's protocol with how its response is read: `decode` has its bytes, `parse` throws for a failure. */
interface ProtocolExchange<T> {
  readonly request: {
    readonly apiKey: number;
    readonly apiVersion: number;
    readonly apiName: string;
    encode(): Promise<Encoder>;
  };
  readonly response: { decode(bytes: Buffer): Promise<T>; parse(decoded: T): Promise<unknown> };
}

/** Writes the fields of a request; `writeUVarIntBytes` without bytes writes an empty list of tagged fields. */
interface Encoder {
  writeInt8(value: number): this;
  writeInt32(value: number): this;
  writeUVarIntString(value: string): this;
  writeUVarIntBytes(value?: Buffer): this;
  writeUVarIntArray(values: readonly Encoder[]): this;
}

/** Reads the fields of a response. */
interface Decoder {
  readInt16(): number;
  readInt32(): number;
  readUVarIntString(): string;
  readUVarIntArray<T>(read: (decoder: Decoder) => T): T[];
  readTaggedFields(): unknown;
}

/** The members of a cluster that only this file uses. */
interface AdministeredCluster extends Cluster {
  /** Finds the broker that `refreshMetadata` has told to be the controller. */
  findControllerBroker(): Promise<{
    readonly connectionPool: { send<T>(exchange: ProtocolExchange<T>): Promise<unknown> };
  }>;
  refreshMetadata(): Promise<void>;
}

// Untyped modules, see loadKafkaJs.
const require = createRequire(import.meta.url);
const Encoder = require('kafkajs/src/protocol/encoder') as new () => Encoder;
const Decoder = require('kafkajs/src/protocol/decoder') as new (bytes: Buffer) => Decoder;

const iterations = 8192;

/** SCRAM-SHA-256 and SCRAM-SHA-512: their numbers in the protocol, hash functions and bytes of a hash. */
const mechanisms: readonly {
  readonly number: number;
  readonly hash: string;
  readonly bytes: number;
}[] = [
  { number: 1, hash: 'sha256', bytes: 32 },
  { number: 2, hash: 'sha512', bytes: 64 },
];

/**
 * Gives users other passwords, for every mechanism, over the connection of an administrator: AlterUserScramCredentials, version 0,
 * which kafkajs does not have. The passwords of before are refused from then on; connections that they opened stay.
 */
export async function setUserPasswords(
  connection: KafkaConnection,
  passwords: ReadonlyMap<string, string>,
): Promise<void> {
  const created = createCluster(connection);
  const cluster = created.cluster as AdministeredCluster; // It is one of kafkajs.
  try {
    await cluster.connect();
    await cluster.refreshMetadata();
    const broker = await cluster.findControllerBroker();
    // A request that names a user twice, also with two mechanisms, is refused.
    for (const { number, hash, bytes } of mechanisms) {
      const upsertions = [...passwords].map(([user, password]) => {
        const salt = randomBytes(32);
        return new Encoder()
          .writeUVarIntString(user)
          .writeInt8(number)
          .writeInt32(iterations)
          .writeUVarIntBytes(salt)
          .writeUVarIntBytes(pbkdf2Sync(password, salt, iterations, bytes, hash))
          .writeUVarIntBytes();
      });
      await broker.connectionPool.send({
        request: {
          apiKey: 51,
          apiVersion: 0,
          apiName: 'AlterUserScramCredentials',
          encode: async () =>
            new Encoder()
              .writeUVarIntBytes()
              .writeUVarIntArray([])
              .writeUVarIntArray(upsertions)
              .writeUVarIntBytes(),
        },
        response: {
          decode: async answer => readResults(answer),
          parse: async results => assertDone(results),
        },
      });
    }
  } finally {
    await created.close();
  }
}

interface Result {
  readonly user: string;
  readonly code: number;
  readonly message: string;
}

function readResults(bytes: Buffer): Result[] {
  const decoder = new Decoder(bytes);
  decoder.readTaggedFields();
  decoder.readInt32(); // The time for which the client is throttled.
  return decoder.readUVarIntArray((each: Decoder) => {
    const result = {
      user: each.readUVarIntString(),
      code: each.readInt16(),
      message: each.readUVarIntString(),
    };
    each.readTaggedFields();
    return result;
  });
}

function assertDone(results: readonly Result[]): void {
  const failed = results.filter(({ code }) => code !== 0);
  if (failed.length > 0) throw new Error(`Kafka keeps passwords as they are: ${JSON.stringify(failed)}`);
}
