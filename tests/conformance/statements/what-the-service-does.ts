import type { Statement } from '../drivers/conformance-server.ts';

/** 1, "What the service does". */
export const whatTheServiceDoesStatements: readonly Statement[] = [
  {
    place: '1/What the service does/a',
    says: 'Every operation is a request to the HTTP API, and every concept is an object with a definition in it.',
  },
  { place: '1/What the service does/b', says: 'The state of objects is in a persistent store.' },
  { place: '1/What the service does/c', says: 'The API is that of release 1.26.' },
  {
    place: '1/What the service does/1',
    says: 'Objects are created, read, updated, patched and deleted with POST, GET, PUT, PATCH and DELETE.',
  },
  {
    place: '1/What the service does/2',
    says: 'Subresources are authorized on their own and can be other representations of an object.',
  },
  {
    place: '1/What the service does/3',
    says: 'Watches notify of changes; lists are consistent and can be read in chunks.',
  },
  { place: '1/What the service does/4', says: 'Representations are JSON (by default), protobuf and Table.' },
  {
    place: '1/What the service does/5',
    says: 'Requests can be dry runs, have three levels of field validation, and apply with field managers.',
  },
  { place: '1/What the service does/6', says: 'Deletion has two phases when there are finalizers.' },
  { place: '1/What the service does/7', says: 'There are health endpoints.' },
  {
    place: '1/What the service does/8',
    says: 'Groups and versions have levels of stability and are switched with --runtime-config.',
  },
];
