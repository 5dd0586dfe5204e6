import type { Statement } from '../drivers/conformance-server.ts';

/** 1, "Terms" and "Names and scope". */
export const nameAndScopeStatements: readonly Statement[] = [
  { place: '1/Terms/resource type', says: 'A resource type is the name that URLs use.' },
  { place: '1/Terms/kind', says: 'A kind is the name of the schema of a resource type.' },
  { place: '1/Terms/collection', says: 'A collection is a list of the instances of a resource type.' },
  { place: '1/Terms/resource', says: 'A resource or object is a single instance of a resource type.' },
  { place: '1/Terms/subresource', says: 'A subresource is a path below a resource, for some types.' },
  {
    place: '1/Terms/virtual resource type',
    says: 'A virtual resource type stands for an operation: access reviews, the eviction of a pod.',
  },
  {
    place: '1/Names and scope/1',
    says: 'The name of an object is unique among those of its kind in its namespace until the object is deleted.',
  },
  { place: '1/Names and scope/2', says: 'Names of cluster-scoped kinds are unique in the whole cluster.' },
  { place: '1/Names and scope/3', says: 'Objects of virtual resource types need no name.' },
  {
    place: '1/Names and scope/4',
    says: 'A type is cluster-scoped or namespaced; objects of a namespace are deleted with it and authorized within it.',
  },
  {
    place: '1/Names and scope/5',
    says: 'Types of fields are checked; a required field that is missing is an error.',
  },
];
