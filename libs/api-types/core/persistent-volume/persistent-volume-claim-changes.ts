import { compareQuantities, type FieldError, fieldPath, forbiddenField } from '@binnacle/api-objects';
import type { PersistentVolumeClaim } from '../../generated/core/v1.ts';
import { parseAmount } from '../resource-amounts/standard-resources.ts';

const spec$ = fieldPath('spec');
const size$ = spec$.child('resources', 'requests', 'storage');

/** Refuses a claim that requests less storage than before. */
export function shrinkErrors(
  object: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  subresource: string,
): FieldError[] {
  if (subresource !== '' || !isSmaller(sizeIn(object), sizeIn(old))) return [];
  return [forbiddenField(size$, 'field can not be less than previous value')];
}

/** Refuses a claim that requests less storage than before, unless the request still exceeds the current capacity. */
export function shrinkBelowCapacityErrors(
  object: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  subresource: string,
): FieldError[] {
  if (subresource !== '' || !isSmaller(sizeIn(object), sizeIn(old))) return [];
  const capacity = parseAmount(old.status?.capacity?.storage);
  if (capacity && isSmaller(capacity, sizeIn(object))) return [];
  return [forbiddenField(size$, 'field can not be less than status.capacity')];
}

/** Refuses a storage class for an existing claim that was created without one. */
export function lateStorageClassErrors(
  { spec }: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  subresource: string,
): FieldError[] {
  if (subresource !== '' || spec?.storageClassName === undefined) return [];
  if (old.spec?.storageClassName !== undefined) return [];
  const why = 'spec is immutable after creation except resources.requests for bound claims';
  return [forbiddenField(spec$, why)];
}

function sizeIn({ spec }: PersistentVolumeClaim) {
  return parseAmount(spec?.resources?.requests?.storage);
}

function isSmaller(amount: ReturnType<typeof parseAmount>, than: ReturnType<typeof parseAmount>): boolean {
  return amount !== undefined && than !== undefined && compareQuantities(amount, than) < 0;
}
