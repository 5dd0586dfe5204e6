/** What tests of other packages use of watch-cache besides index.ts. */

export type { FeedMessage } from './contract/feed.ts';
