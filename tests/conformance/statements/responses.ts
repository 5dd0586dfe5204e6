import type { Statement } from '../drivers/conformance-server.ts';

/** 1, "Collection response" and "Watch event". */
export const responseStatements: readonly Statement[] = [
  {
    place: '1/Collection response/kind',
    says: 'The kind of a collection is that of its items with List appended.',
  },
  { place: '1/Collection response/apiVersion', says: 'A collection names its apiVersion.' },
  {
    place: '1/Collection response/metadata.resourceVersion',
    says: 'A collection names the version at which it was made.',
  },
  {
    place: '1/Collection response/metadata.continue',
    says: 'A collection that is not at its end has a token for the next chunk.',
  },
  {
    place: '1/Collection response/metadata.remainingItemCount',
    says: 'remainingItemCount is the number of items that are left; absent with a selector and in a complete list.',
  },
  { place: '1/Collection response/items', says: 'All items are of the kind that the collection names.' },
  {
    place: '1/Watch event/a',
    says: 'The body of a watch is a stream of JSON documents with type and object.',
  },
  { place: '1/Watch event/ADDED', says: 'An object that appears is ADDED.' },
  { place: '1/Watch event/MODIFIED', says: 'An object that changes is MODIFIED.' },
  {
    place: '1/Watch event/BOOKMARK',
    says: 'A BOOKMARK is of the kind that was asked for and carries only metadata.resourceVersion.',
  },
  { place: '1/Watch event/b', says: 'A watch is answered in chunks, as application/json.' },
];
