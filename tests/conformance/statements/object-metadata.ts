import type { Statement } from '../drivers/conformance-server.ts';

/** 1, "Common object metadata". */
export const objectMetadataStatements: readonly Statement[] = [
  { place: '1/Common object metadata/name', says: 'The name is a string that the client chooses.' },
  {
    place: '1/Common object metadata/generateName',
    says: 'With generateName the server makes a unique random name.',
  },
  {
    place: '1/Common object metadata/namespace',
    says: 'Objects of namespaced kinds name their namespace, those of cluster-scoped kinds none.',
  },
  {
    place: '1/Common object metadata/uid',
    says: 'The server gives each object a random uid, which a later object of the same name does not share.',
  },
  {
    place: '1/Common object metadata/resourceVersion',
    says: 'The resourceVersion is an opaque text that changes with what is stored and guards updates.',
  },
  { place: '1/Common object metadata/creationTimestamp', says: 'The server sets the time of creation.' },
  {
    place: '1/Common object metadata/deletionTimestamp',
    says: 'The first delete request sets the time of deletion; it is absent before.',
  },
  {
    place: '1/Common object metadata/finalizers',
    says: 'Finalizers are a list of texts that any authorized actor may reorder.',
  },
  {
    place: '1/Common object metadata/labels, annotations',
    says: 'Labels and annotations are maps from text to text.',
  },
  { place: '1/Common object metadata/ownerReferences', says: 'Owner references carry blockOwnerDeletion.' },
  {
    place: '1/Common object metadata/managedFields',
    says: 'managedFields records the managers of each field.',
  },
  { place: '1/managedFields entry/manager', says: 'An entry names its manager.' },
  { place: '1/managedFields entry/operation', says: 'The operation of an entry is Apply or Update.' },
  {
    place: '1/managedFields entry/apiVersion',
    says: 'An entry names the version in which its fields are written.',
  },
  { place: '1/managedFields entry/time', says: 'An entry has a time.' },
  { place: '1/managedFields entry/fieldsType', says: 'The fieldsType of an entry is FieldsV1.' },
  { place: '1/managedFields entry/fieldsV1', says: 'fieldsV1 is a tree whose keys begin with f:.' },
];
