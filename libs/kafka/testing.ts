/** Kafka for tests of other packages, besides index.ts. */

export { setUserPasswords } from './client/set-user-passwords.ts';
export type { FeedKeys } from './encryption/feed-keys.ts';
export type { NewRecord } from './topic/topic-writer.ts';
