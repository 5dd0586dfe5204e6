/** Kafka for tests of other packages, besides index.ts. */

export type { FeedKeys } from './encryption/feed-keys.ts';
export { setUserPasswords } from './test-drivers/set-user-passwords.ts';
export type { NewRecord } from './topic/topic-writer.ts';
