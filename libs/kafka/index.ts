export {
  type KafkaConnection,
  type KafkaUser,
  type SaslMechanism,
  saslMechanisms,
} from './access/kafka-connection.ts';
export {
  connectTopicAdministration,
  type NewTopic,
  type TopicAdministration,
  type TopicGrant,
} from './topic/topic-administration.ts';
export {
  connectTopicReader,
  type FetchedPartition,
  OffsetOutOfRange,
  type TopicReader,
  type TopicReaderOptions,
} from './topic/topic-reader.ts';
export type { TopicRecord } from './topic/topic-record.ts';
export {
  connectTopicWriter,
  type NewRecord,
  type TopicWriter,
  type TopicWriterOptions,
} from './topic/topic-writer.ts';
