import type { Statement } from '../drivers/conformance-server.ts';

/** 1, "List in chunks" and "Watch". */
export const listAndWatchStatements: readonly Statement[] = [
  {
    place: '1/List in chunks/1',
    says: 'A list with limit=n has at most n items, and a token when there are more.',
  },
  {
    place: '1/List in chunks/2',
    says: 'The token and the same limit give the next chunk, until there is no token.',
  },
  {
    place: '1/List in chunks/3',
    says: 'All chunks show one snapshot at one resourceVersion; only a fresh list shows later changes.',
  },
  {
    place: '1/List in chunks/4',
    says: 'A token expires; then the answer is 410 and the client starts anew.',
  },
  { place: '1/List in chunks/5', says: 'Lists come in chunks unless the gate APIListChunking is disabled.' },
  {
    place: '1/Watch/1',
    says: 'A watch from the resourceVersion of a list or get reports the changes after it.',
  },
  {
    place: '1/Watch/2',
    says: 'A watch that broke off resumes from the last resourceVersion, or after a new list.',
  },
  { place: '1/Watch/3', says: 'History is kept for a limited time.' },
  {
    place: '1/Watch/4',
    says: 'A watch from a version that is no longer available is answered with 410; after a new list it goes on.',
  },
];
