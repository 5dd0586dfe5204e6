import type { Statement } from '../conformance-server.ts';

/** 1, "Common object metadata". */
export const objectMetadataStatements: readonly Statement[] = [
  { place: '1/Common object metadata/name', says: 'the name is a string that the client chooses' },
  {
    place: '1/Common object metadata/generateName',
    says: 'with generateName the server makes a unique random name',
  },
  {
    place: '1/Common object metadata/namespace',
    says: 'objects of namespaced kinds name their namespace, those of cluster-scoped kinds none',
  },
  {
    place: '1/Common object metadata/uid',
    says: 'the server gives each object a random uid, which a later object of the same name does not share',
  },
  {
    place: '1/Common object metadata/resourceVersion',
    says: 'the resourceVersion is an opaque text that changes with what is stored and guards updates',
  },
  { place: '1/Common object metadata/creationTimestamp', says: 'the server sets the time of creation' },
  {
    place: '1/Common object metadata/deletionTimestamp',
    says: 'the first delete request sets the time of deletion; it is absent before',
  },
  {
    place: '1/Common object metadata/finalizers',
    says: 'finalizers are a list of texts that any authorized actor may reorder',
  },
  {
    place: '1/Common object metadata/labels, annotations',
    says: 'labels and annotations are maps from text to text',
  },
  { place: '1/Common object metadata/ownerReferences', says: 'owner references carry blockOwnerDeletion' },
  { place: '1/Common object metadata/managedFields', says: 'managedFields records who owns which field' },
  { place: '1/managedFields entry/manager', says: 'an entry names its manager' },
  { place: '1/managedFields entry/operation', says: 'the operation of an entry is Apply or Update' },
  {
    place: '1/managedFields entry/apiVersion',
    says: 'an entry names the version in which its fields are spelt',
  },
  { place: '1/managedFields entry/time', says: 'an entry has a time' },
  { place: '1/managedFields entry/fieldsType', says: 'the fieldsType of an entry is FieldsV1' },
  { place: '1/managedFields entry/fieldsV1', says: 'fieldsV1 is a tree whose keys begin with f:' },
];
