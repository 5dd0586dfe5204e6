import { isIP } from 'node:net';
import { type FollowedFiles, followClientTls, readSecretFile } from '@binnacle/backend-access';
import {
  booleanFlag,
  choiceFlag,
  type Flag,
  FlagError,
  type FlagValues,
  flagGroup,
  listFlag,
  stringFlag,
} from '@binnacle/flags';
import {
  type FeedEncryption,
  feedTopicFromName,
  type KafkaConnection,
  type KafkaUser,
  readFeedKeys,
  saslMechanisms,
} from '@binnacle/kafka';
import { errorMessage } from '@binnacle/status-errors';

/** The flags of every service that uses Kafka. */
export const kafkaFlags = flagGroup('Kafka', {
  kafkaBrokers: listFlag({ description: 'host:port of Kafka brokers.', default: ['127.0.0.1:9092'] }),
  kafkaTopic: stringFlag({
    description: 'Topic of the change feed; the number of the record layout is appended to this name.',
    default: 'binnacle-changes',
  }),
  kafkaCaFile: stringFlag({
    description: 'PEM file of the certificate authority of the brokers; makes connections TLS.',
  }),
  kafkaCertFile: stringFlag({ description: 'PEM file of the client certificate for the brokers.' }),
  kafkaKeyFile: stringFlag({ description: 'PEM file of the key of that certificate.' }),
  kafkaSaslMechanism: mechanismFlag(),
  kafkaSaslUsername: stringFlag({ description: 'User that the brokers authenticate with SASL.' }),
  kafkaSaslPasswordFile: stringFlag({ description: 'File with the password of that user.' }),
  feedKeyFile: stringFlag({
    description:
      'File with keys for change feed records, 32 bytes in base64 a line: the first one encrypts, all of them decrypt.',
  }),
  feedAcceptUnencrypted: booleanFlag({
    description:
      'Acceptance of plaintext records besides encrypted ones: only while encryption is being switched on.',
  }),
});

/** The access of a service to the change feed in Kafka. */
interface KafkaFeedAccess {
  readonly connection: KafkaConnection;
  readonly topic: string;
  readonly encryption: FeedEncryption;
}

/**
 * Reads the Kafka flags and the files that they name, and follows those of TLS and of feed keys; the password is read
 * for each authentication. Throws a FlagError for contradicting flags and unreadable files.
 *
 * SASL needs TLS: SCRAM hides the password from an eavesdropper, but neither the traffic that follows nor guesses at a
 * weak password. Brokers on loopback addresses are exempt.
 */
export async function kafkaFromFlags(
  flags: FlagValues<typeof kafkaFlags>,
  client: Pick<KafkaConnection, 'clientId' | 'log'>,
  files?: FollowedFiles,
): Promise<KafkaFeedAccess> {
  const { kafkaBrokers: brokers, kafkaTopic } = flags;
  const topic = feedTopicFromName(kafkaTopic);
  if (brokers.length === 0) throw new FlagError('--kafka-brokers must name a broker');
  for (const broker of brokers)
    if (!/^.+:\d+$/.test(broker)) throw new FlagError(`--kafka-brokers: ${broker} is not host:port`);
  const { kafkaCaFile: caFile, kafkaCertFile: certFile, kafkaKeyFile: keyFile } = flags;
  const tls = await asFlagError(followClientTls('kafka', { caFile, certFile, keyFile }, { files }));
  const user = await userFrom(flags);
  if (user !== undefined && tls === undefined && !brokers.every(isLoopback))
    throw new FlagError('--kafka-sasl-username needs --kafka-ca-file unless all brokers are on loopback');
  return {
    connection: { brokers, tls, user, ...client },
    topic,
    encryption: await encryptionFrom(flags, files),
  };
}

async function userFrom(flags: FlagValues<typeof kafkaFlags>): Promise<KafkaUser | undefined> {
  const { kafkaSaslUsername: username, kafkaSaslPasswordFile: file, kafkaSaslMechanism } = flags;
  if (username === undefined && file === undefined) {
    if (kafkaSaslMechanism !== undefined)
      throw new FlagError('--kafka-sasl-mechanism needs --kafka-sasl-username');
    return undefined;
  }
  if (username === undefined || file === undefined)
    throw new FlagError('--kafka-sasl-username and --kafka-sasl-password-file must be given together');
  await asFlagError(readSecretFile(file));
  return {
    mechanism: kafkaSaslMechanism ?? 'scram-sha-512',
    username,
    password: () => readSecretFile(file),
  };
}

async function encryptionFrom(
  { feedKeyFile, feedAcceptUnencrypted: acceptUnencrypted }: FlagValues<typeof kafkaFlags>,
  files: FollowedFiles | undefined,
): Promise<FeedEncryption> {
  if (feedKeyFile === undefined) {
    if (acceptUnencrypted) throw new FlagError('--feed-accept-unencrypted needs --feed-key-file');
    return { keys: undefined, acceptUnencrypted };
  }
  const first = await asFlagError(readFeedKeys(feedKeyFile));
  const keys = files?.follow('--feed-key-file', { first, read: () => readFeedKeys(feedKeyFile) });
  return {
    get keys() {
      return keys?.() ?? first;
    },
    acceptUnencrypted,
  };
}

async function asFlagError<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (thrown) {
    throw new FlagError(errorMessage(thrown));
  }
}

function isLoopback(broker: string): boolean {
  const host = broker.slice(0, broker.lastIndexOf(':')).replace(/^\[|\]$/g, '');
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function mechanismFlag(): Flag<(typeof saslMechanisms)[number] | undefined> {
  const flag = choiceFlag(saslMechanisms, {
    description: 'SASL mechanism; default if a user is given: scram-sha-512.',
    default: 'scram-sha-512',
  });
  return {
    ...flag,
    defaultValue: undefined,
    defaultText: '',
    parse(texts) {
      if (texts.at(-1) === 'plain')
        throw new Error('does not support plain, which shows brokers the password: use scram-sha-512');
      return flag.parse(texts);
    },
  };
}
