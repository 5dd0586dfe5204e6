import type { Statement } from '../drivers/conformance-server.ts';

/** 1, "Path shapes". */
export const pathShapeStatements: readonly Statement[] = [
  {
    place: '1/Path shapes/core cluster-scoped',
    says: 'Cluster-scoped kinds of the core group are at /api/v1/{type} and /api/v1/{type}/{name}.',
  },
  {
    place: '1/Path shapes/core namespaced',
    says: 'Namespaced kinds of the core group are below /api/v1/namespaces/{namespace}; those of all namespaces at /api/v1/{type}.',
  },
  {
    place: '1/Path shapes/group cluster-scoped',
    says: 'Cluster-scoped kinds of a named group are at /apis/{group}/{version}/{type} and …/{name}.',
  },
  {
    place: '1/Path shapes/group namespaced',
    says: 'Namespaced kinds of a named group are below /apis/{group}/{version}/namespaces/{namespace}; those of all namespaces at /apis/{group}/{version}/{type}.',
  },
  { place: '1/Path shapes/subresource', says: 'A subresource is at {resource path}/{name}/{subresource}.' },
  { place: '1/Path shapes/namespaces', says: 'Namespaces are cluster-scoped themselves.' },
  { place: '1/Path shapes/one resource', says: 'A subresource cannot be addressed across resources.' },
  {
    place: '1/Path shapes/apiVersion',
    says: 'apiVersion is v1 in the core group and {group}/{version} in a named one.',
  },
];
