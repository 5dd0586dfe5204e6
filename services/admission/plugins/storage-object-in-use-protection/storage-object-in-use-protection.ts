import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import { isAbout } from '../../chain/review.ts';

/** Who must let go of the objects of a resource before they are gone. */
const finalizers = [
  { resource: 'persistentvolumes', finalizer: 'cluster.io/pv-protection' },
  { resource: 'persistentvolumeclaims', finalizer: 'cluster.io/pvc-protection' },
];

/** StorageObjectInUseProtection, on by default: volumes and claims stay for as long as they are in use. */
export const storageObjectInUseProtection: PluginRegistration = {
  name: 'StorageObjectInUseProtection',
  byDefault: true,
  concerns: finalizers.map(({ resource }) => `/${resource}`),
  create: () => ({
    name: 'StorageObjectInUseProtection',
    async mutate(review) {
      const { object, operation } = review;
      if (operation !== 'CREATE' || object === undefined) return 'unchanged';
      const finalizer = finalizers.find(({ resource }) => isAbout(review, '', resource))?.finalizer;
      if (finalizer === undefined || object.metadata.finalizers?.includes(finalizer)) return 'unchanged';
      object.metadata.finalizers = [...(object.metadata.finalizers ?? []), finalizer];
      return 'changed';
    },
  }),
};
