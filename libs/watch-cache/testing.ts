/** Watch cache exports for tests of other packages, besides index.ts. */

export type { FeedMessage } from './contract/feed.ts';
