import { understood, words } from '@binnacle/api-names';
import type { Quantity } from '@binnacle/api-objects';
import { parseAmount } from '../core/resource-amounts/standard-resources.ts';
import type { PersistentVolumeClaim } from '../generated/core/v1.ts';
import { onePiece, type Usage } from './usage.ts';
import type { UsageEvaluator } from './usage-evaluator.ts';

const names = new Set(['count/persistentvolumeclaims', 'persistentvolumeclaims', 'requests.storage']);
const ofClass = words.storageClassQuota;

/** Quota usage of PersistentVolumeClaims: their number and requested storage, in total and by StorageClass. */
export const persistentVolumeClaimUsage: UsageEvaluator = {
  counts: name =>
    names.has(name) ||
    name.endsWith(`${ofClass}persistentvolumeclaims`) ||
    name.endsWith(`${ofClass}requests.storage`),
  computeUsage,
  isInScope: () => false,
  unsaid: () => '',
  limitsUpdates: true,
};

function computeUsage(claim: PersistentVolumeClaim): Usage {
  const usage = new Map<string, Quantity>([
    ['count/persistentvolumeclaims', onePiece],
    ['persistentvolumeclaims', onePiece],
  ]);
  const spec = claim.spec ?? {};
  const storageClass = readStorageClass(claim);
  if (storageClass !== '') usage.set(`${storageClass}${ofClass}persistentvolumeclaims`, onePiece);
  const storage = parseAmount(spec.resources?.requests?.storage);
  if (storage === undefined) return usage;
  usage.set('requests.storage', storage);
  if (storageClass !== '') usage.set(`${storageClass}${ofClass}requests.storage`, storage);
  return usage;
}

/** The annotation takes precedence over the newer field. */
function readStorageClass(claim: PersistentVolumeClaim): string {
  const { annotations = {} } = claim.metadata;
  for (const annotation of understood.annotations.storageClassBeta) {
    const named = annotations[annotation];
    if (named !== undefined) return named;
  }
  return claim.spec?.storageClassName ?? '';
}
