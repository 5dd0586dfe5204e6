import type { Statement } from '../drivers/conformance-server.ts';

/** 1, "Deletion of an object". */
export const deletionStatements: readonly Statement[] = [
  {
    place: '1/Deletion of an object/Live, first delete',
    says: 'The first delete of an object with finalizers sets deletionTimestamp and keeps the object.',
  },
  {
    place: '1/Deletion of an object/Terminating, finalizers remain',
    says: 'An object whose other finalizers remain stays.',
  },
  {
    place: '1/Deletion of an object/Terminating, last finalizer',
    says: 'An object whose last finalizer is removed is removed from the store.',
  },
  { place: '1/Deletion of an object/a', says: 'Finalizers are removed in any order.' },
  {
    place: '1/Deletion of an object/b',
    says: 'An object without finalizers is removed at once; a grace period is for the kinds that have one.',
  },
];
