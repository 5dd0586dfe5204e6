/** What tests of other packages use of kafka besides index.ts. */

export type { FeedKeys } from './encryption/feed-keys.ts';
export type { NewRecord } from './topic/topic-writer.ts';
