import { type ApiObject, compareQuantities, tryParseQuantity } from '@binnacle/api-objects';
import { asObject, asText } from '@binnacle/api-types';
import { forbidden } from '@binnacle/status-errors';
import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import type { Review } from '../../chain/review.ts';
import { isAbout, nameOf } from '../../chain/review.ts';
import type { ObjectReader } from '../../sources/objects.ts';

const storageClasses = { group: 'storage.cluster.io', version: 'v1', resource: 'storageclasses' };
const classAnnotations = ['volume.beta.cluster.io/storage-class', 'volume.beta.kubernetes.io/storage-class'];

/** PersistentVolumeClaimResize, on by default: a claim grows only when it is bound and its class lets volumes grow. */
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
        if (asObject(oldObject['status'])?.['phase'] !== 'Bound')
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
  return forbidden(review.definition, nameOf(review), why);
}

function grows(object: ApiObject, old: ApiObject): boolean {
  const [size, oldSize] = [sizeOf(object), sizeOf(old)];
  return size !== undefined && oldSize !== undefined && compareQuantities(size, oldSize) > 0;
}

function sizeOf(claim: ApiObject) {
  const requests = asObject(asObject(asObject(claim['spec'])?.['resources'])?.['requests']);
  return tryParseQuantity(asText(requests?.['storage']) || '0');
}

async function canGrow(claim: ApiObject, classes: ObjectReader, { call }: Review): Promise<boolean> {
  const { annotations = {} } = claim.metadata;
  const annotated = classAnnotations.map(key => annotations[key]).find(name => name !== undefined);
  const name = annotated ?? asText(asObject(claim['spec'])?.['storageClassName']);
  if (name === '') return false;
  const seen = await classes.find('', name, call);
  if (seen?.parse()['allowVolumeExpansion'] === true) return true;
  // What the cache says against it counts only when the store says so too.
  return (await classes.findCurrent('', name, call))?.parse()['allowVolumeExpansion'] === true;
}
