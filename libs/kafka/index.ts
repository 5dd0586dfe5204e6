export { type KafkaConnection, type KafkaUser, saslMechanisms } from './access/kafka-connection.ts';
export { RefusalStatus } from './access/refusal-status.ts';
export { readFeedKeys } from './encryption/feed-keys.ts';
export { RecordEncryptor } from './encryption/record-encryptor.ts';
export {
  type FeedEncryption,
  RecordOpener,
  type RecordRefusal,
  recordRefusals,
  unencryptedFeed,
} from './encryption/record-opener.ts';
export { FetchPace, PublishPace } from './topic/feed-pace.ts';
export { feedTopicFromName } from './topic/feed-topic.ts';
export { connectTopicAdministration, type TopicAdministration } from './topic/topic-administration.ts';
export {
  connectTopicReader,
  type FetchedPartition,
  OffsetOutOfRange,
  type TopicReader,
} from './topic/topic-reader.ts';
export type { TopicRecord } from './topic/topic-record.ts';
export { connectTopicWriter, type TopicWriter } from './topic/topic-writer.ts';
