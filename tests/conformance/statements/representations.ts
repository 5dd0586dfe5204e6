import type { Statement } from '../drivers/conformance-server.ts';

/** 1, "Table representation" and "Protobuf envelope". */
export const representationStatements: readonly Statement[] = [
  {
    place: '1/Table representation/a',
    says: 'A Table has kind, apiVersion meta.cluster.io/v1, columns with name and type, and rows.',
  },
  {
    place: '1/Table representation/b',
    says: 'The default table has two columns: Name, a string, and Created At, a date.',
  },
  { place: '1/Table representation/c', says: 'Types need not support Table.' },
  { place: '1/Protobuf envelope/1', says: 'Protobuf begins with the bytes 6b 38 73 00.' },
  {
    place: '1/Protobuf envelope/2',
    says: 'Then comes Unknown: typeMeta (apiVersion, kind), raw, contentEncoding and contentType, the last two unset.',
  },
];
