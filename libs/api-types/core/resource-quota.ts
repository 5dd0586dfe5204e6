import type { JsonValue } from '@binnacle/api-objects';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { ResourceQuota } from '../generated/core/v1.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../printing/columns.ts';
import { resourceQuotaErrors, resourceQuotaUpdateErrors } from './resource-quota-validation.ts';

/** The rules of ResourceQuota objects: the scopes are immutable. */
export const resourceQuotaRules: KindRules<ResourceQuota> = {
  returnsDeletedObject: true,
  validate: resourceQuotaErrors,
  validateUpdate: resourceQuotaUpdateErrors,
  columns: [
    nameColumn,
    ageColumn,
    column('Request', 'Usage and hard limits, except those of container limits.'),
    column('Limit', 'Usage and hard limits of container limits.'),
  ],
  cells,
};

function cells(object: ResourceQuota, now: number): JsonValue[] {
  const status = object.status;
  const hard = status?.hard ?? {};
  const used = status?.used ?? {};
  const names = Object.keys(hard).sort();
  const texts = (isLimit: boolean) =>
    names
      .filter(name => name.startsWith('limits.') === isLimit)
      .map(name => `${name}: ${String(used[name] ?? '0')}/${String(hard[name])}`)
      .join(', ');
  return [nameCell(object), ageCell(object, now), texts(false), texts(true)];
}
