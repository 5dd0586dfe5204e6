import type { Statement } from '../conformance-server.ts';

/** 1, "Collection response" and "Watch event". */
export const responseStatements: readonly Statement[] = [
  {
    place: '1/Collection response/kind',
    says: 'the kind of a collection is that of its items with List appended',
  },
  { place: '1/Collection response/apiVersion', says: 'a collection names its apiVersion' },
  {
    place: '1/Collection response/metadata.resourceVersion',
    says: 'a collection names the version at which it was made',
  },
  {
    place: '1/Collection response/metadata.continue',
    says: 'a collection that is not at its end has a token for the next chunk',
  },
  {
    place: '1/Collection response/metadata.remainingItemCount',
    says: 'remainingItemCount is how many items are left; absent with a selector and in a complete list',
  },
  { place: '1/Collection response/items', says: 'all items are of the kind that the collection names' },
  {
    place: '1/Watch event/a',
    says: 'the body of a watch is a stream of JSON documents with type and object',
  },
  { place: '1/Watch event/ADDED', says: 'an object that appears is ADDED' },
  { place: '1/Watch event/MODIFIED', says: 'an object that changes is MODIFIED' },
  {
    place: '1/Watch event/BOOKMARK',
    says: 'a BOOKMARK is of the kind that was asked for and carries only metadata.resourceVersion',
  },
  { place: '1/Watch event/b', says: 'a watch is answered in chunks, as application/json' },
];
