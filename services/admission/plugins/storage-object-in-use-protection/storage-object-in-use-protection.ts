import { finalizers } from '@binnacle/api-names';
import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import { isAbout, objectToChange } from '../../chain/review.ts';

/** The finalizers that protect objects of a resource while they are in use. */
const protections = [
  { resource: 'persistentvolumes', finalizer: finalizers.persistentVolume },
  { resource: 'persistentvolumeclaims', finalizer: finalizers.persistentVolumeClaim },
];

/** StorageObjectInUseProtection, on by default: adds finalizers that keep volumes and claims while they are in use. */
export const storageObjectInUseProtection: PluginRegistration = {
  name: 'StorageObjectInUseProtection',
  byDefault: true,
  concerns: protections.map(({ resource }) => `/${resource}`),
  operations: ['CREATE'],
  create: () => ({
    name: 'StorageObjectInUseProtection',
    mutate(review) {
      const { object, operation } = review;
      if (operation !== 'CREATE' || object === undefined) return 'unchanged';
      const finalizer = protections.find(({ resource }) => isAbout(review, '', resource))?.finalizer;
      if (finalizer === undefined || object.metadata.finalizers?.includes(finalizer)) return 'unchanged';
      const { metadata } = objectToChange(review);
      metadata.finalizers = [...(metadata.finalizers ?? []), finalizer];
      return 'changed';
    },
  }),
};
