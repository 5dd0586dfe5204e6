import type { AclEntry, Admin, AclOperationTypes as Operations } from 'kafkajs';
import { namingRefusals } from '../access/find-refusal.ts';
import type { KafkaConnection } from '../access/kafka-connection.ts';
import { createClient } from '../client/create-client.ts';
import { loadKafkaJs } from '../kafkajs/load-kafkajs.ts';

/** A topic to create. */
interface NewTopic {
  readonly topic: string;
  readonly partitions: number;
  readonly replicationFactor: number;
  readonly settings: Readonly<Record<string, string>>;
}

/** The rights of a user on a topic: `publish` (create, alter, describe, write, read) or `read` (describe, read). */
interface TopicGrant {
  readonly user: string;
  readonly topic: string;
  readonly may: 'publish' | 'read';
}

/** Creates and describes topics. Every method rejects with a `BackendRefusal` if Kafka refuses the request. */
export interface TopicAdministration extends AsyncDisposable {
  /** Whether the topic exists; also false if this user may not describe it. */
  hasTopic(topic: string): Promise<boolean>;
  /** Creates a topic and waits for its leaders; without effect if the topic exists. */
  createTopic(topic: NewTopic): Promise<void>;
  deleteTopic(topic: string): Promise<void>;
  /** Returns the number of partitions of a topic. */
  countPartitions(topic: string): Promise<number>;
  /** Adds access rules (ACLs); needs the right to alter the cluster. Existing rules are kept. */
  grant(grants: readonly TopicGrant[]): Promise<void>;
  /** Returns the number of live brokers; 0 without an active controller, when topics cannot be created. */
  liveBrokers(): Promise<number>;
}

/** Connects an administration client. */
export async function connectTopicAdministration(connection: KafkaConnection): Promise<TopicAdministration> {
  const { client, close } = createClient(connection);
  const admin = client.admin();
  const disconnect = () => close(admin);
  try {
    await namingRefusals(connection, () => admin.connect());
  } catch (thrown) {
    await disconnect();
    throw thrown;
  }
  const named = <T>(work: () => Promise<T>): Promise<T> => namingRefusals(connection, work);
  return {
    hasTopic: topic => named(async () => (await admin.listTopics()).includes(topic)),
    createTopic: topic => named(() => createTopic(admin, topic)),
    deleteTopic: topic => named(() => admin.deleteTopics({ topics: [topic] })),
    countPartitions: topic =>
      named(async () => {
        const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
        return topics[0]?.partitions.length ?? 0;
      }),
    grant: grants => named(() => grant(admin, grants)),
    liveBrokers: () =>
      named(async () => {
        const { brokers, controller } = await admin.describeCluster();
        return controller !== null && controller >= 0 ? brokers.length : 0;
      }),
    [Symbol.asyncDispose]: disconnect,
  };
}

async function createTopic(admin: Admin, topic: NewTopic): Promise<void> {
  // Resolves with false if another process has created the topic meanwhile.
  await admin.createTopics({
    waitForLeaders: true,
    topics: [
      {
        topic: topic.topic,
        numPartitions: topic.partitions,
        replicationFactor: topic.replicationFactor,
        configEntries: Object.entries(topic.settings).map(([name, value]) => ({ name, value })),
      },
    ],
  });
}

type OperationName = Exclude<keyof typeof Operations, 'UNKNOWN' | 'ANY'>;

/** The operations that a grant allows on the topic. */
const operationsOf: Readonly<Record<TopicGrant['may'], readonly OperationName[]>> = {
  publish: ['CREATE', 'ALTER', 'DESCRIBE', 'DESCRIBE_CONFIGS', 'WRITE', 'READ'],
  read: ['DESCRIBE', 'READ'],
};

async function grant(admin: Admin, grants: readonly TopicGrant[]): Promise<void> {
  const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = loadKafkaJs().api;
  const acl = grants.flatMap(({ user, topic, may }): AclEntry[] => {
    const shared = {
      principal: `User:${user}`,
      host: '*',
      permissionType: AclPermissionTypes.ALLOW,
      resourcePatternType: ResourcePatternTypes.LITERAL,
    };
    return operationsOf[may].map(name => ({
      ...shared,
      resourceType: AclResourceTypes.TOPIC,
      resourceName: topic,
      operation: AclOperationTypes[name],
    }));
  });
  await admin.createAcls({ acl });
}
