export {
  type KafkaConnection,
  type KafkaUser,
  type SaslMechanism,
  saslMechanisms,
} from './access/kafka-connection.ts';
export { RefusalStatus, type RefusalStatusLog } from './access/refusal-status.ts';
export { type FeedKey, type FeedKeys, readFeedKeys } from './sealing/feed-keys.ts';
export {
  type FeedSealing,
  type OpenedRecord,
  RecordOpener,
  type RecordRefusal,
  unsealedFeed,
} from './sealing/record-opener.ts';
export { RecordSealer, type RecordToSeal, type SealedRecord } from './sealing/record-sealer.ts';
export { feedTopicOf } from './topic/feed-topic.ts';
export { RequestPace, type RequestPaceOptions } from './topic/request-pace.ts';
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
