import { groups, understood } from '@binnacle/api-names';
import { compareQuantities, tryParseQuantity } from '@binnacle/api-objects';
import type { PersistentVolumeClaim } from '@binnacle/api-types/core/v1';
import type { StorageClass } from '@binnacle/api-types/storage/v1';
import { forbidden } from '@binnacle/status-errors';
import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import { isAbout, type Review, reviewedName } from '../../chain/review.ts';
import type { ObjectReader, SeenObject } from '../../sources/objects.ts';

const storageClasses = { group: groups.storage, version: 'v1', resource: 'storageclasses' };
const classAnnotations = understood.annotations.storageClassBeta;

/** PersistentVolumeClaimResize, on by default: a claim may grow only when it is bound and its class allows expansion. */
export const persistentVolumeClaimResize: PluginRegistration = {
  name: 'PersistentVolumeClaimResize',
  byDefault: true,
  concerns: ['/persistentvolumeclaims'],
  reads: [storageClasses],
  create({ objects }) {
    const classes = objects.reader(storageClasses);
    return {
      name: 'PersistentVolumeClaimResize',
      async validate(review) {
        const { object, oldObject, operation } = review;
        if (operation !== 'UPDATE' || !isAbout(review, '', 'persistentvolumeclaims')) return;
        if (object === undefined || oldObject === undefined || !grows(object, oldObject)) return;
        const claim: PersistentVolumeClaim = oldObject;
        if (claim.status?.phase !== 'Bound')
          throw refusal(review, 'a claim can be expanded only once it is bound');
        if (!(await canGrow(object, classes, review)))
          throw refusal(
            review,
            'a claim can be expanded only when its volume was provisioned by a storage class that allows expansion',
          );
      },
    };
  },
};

function refusal(review: Review, why: string) {
  return forbidden(review.definition, reviewedName(review), why);
}

function grows(object: PersistentVolumeClaim, old: PersistentVolumeClaim): boolean {
  const [size, oldSize] = [readSize(object), readSize(old)];
  return size !== undefined && oldSize !== undefined && compareQuantities(size, oldSize) > 0;
}

function readSize(claim: PersistentVolumeClaim) {
  const requests = claim.spec?.resources?.requests;
  return tryParseQuantity(requests?.storage || '0');
}

async function canGrow(
  claim: PersistentVolumeClaim,
  classes: ObjectReader,
  { call }: Review,
): Promise<boolean> {
  const { annotations = {} } = claim.metadata;
  const annotated = classAnnotations.map(key => annotations[key]).find(name => name !== undefined);
  const name = annotated ?? claim.spec?.storageClassName ?? '';
  if (name === '') return false;
  if (allowsExpansion(await classes.find('', name, call))) return true;
  // The store confirms a refusal that is based on the cache.
  return allowsExpansion(await classes.findCurrent('', name, call));
}

function allowsExpansion(seen: SeenObject | undefined): boolean {
  const { allowVolumeExpansion }: Partial<StorageClass> = seen?.parse() ?? {};
  return allowVolumeExpansion === true;
}
