import { groups, understood } from '@binnacle/api-names';
import { isDefaultClass } from '@binnacle/api-types';
import type { PersistentVolumeClaim } from '@binnacle/api-types/core/v1';
import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import { isAbout, objectToChange } from '../../chain/review.ts';
import { createDefaultClassSource } from '../../sources/default-class.ts';

const storageClasses = { group: groups.storage, version: 'v1', resource: 'storageclasses' };
const classAnnotations = understood.annotations.storageClassBeta;

/**
 * DefaultStorageClass, on by default: a claim that names no class, not even the empty one, gets the default class; of
 * several the newest, then the first by name.
 */
export const defaultStorageClass: PluginRegistration = {
  name: 'DefaultStorageClass',
  byDefault: true,
  concerns: ['/persistentvolumeclaims'],
  operations: ['CREATE'],
  reads: [storageClasses],
  create({ objects }) {
    const defaultClass = createDefaultClassSource(objects.reader(storageClasses), isDefaultClass);
    return {
      name: 'DefaultStorageClass',
      async mutate(review) {
        const { object, operation, call } = review;
        if (operation !== 'CREATE' || object === undefined || !isAbout(review, '', 'persistentvolumeclaims'))
          return 'unchanged';
        const { spec, metadata }: PersistentVolumeClaim = object;
        const { annotations = {} } = metadata;
        if (spec?.storageClassName !== undefined || classAnnotations.some(key => key in annotations))
          return 'unchanged';
        const name = await defaultClass(call);
        if (name === undefined) return 'unchanged';
        const claim: PersistentVolumeClaim = objectToChange(review);
        claim.spec ??= {};
        claim.spec.storageClassName = name;
        return 'changed';
      },
    };
  },
};
