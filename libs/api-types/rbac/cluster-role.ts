import {
  type FieldError,
  fieldPath,
  requiredField,
  validateLabelSelector,
  validatePathSegmentName,
} from '@binnacle/api-objects';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { ClusterRole } from '../generated/rbac/v1.ts';
import { defaultCells, defaultColumns } from '../printing/columns.ts';
import { policyRuleErrors } from './policy-rules.ts';

/** The rules of ClusterRole objects. */
export const clusterRoleRules: KindRules<ClusterRole> = {
  createOnUpdate: true,
  nameRule: validatePathSegmentName,
  validate: object => [...policyRuleErrors(object, false), ...aggregationErrors(object)],
  columns: defaultColumns,
  cells: defaultCells,
};

function aggregationErrors({ aggregationRule }: ClusterRole): FieldError[] {
  if (!aggregationRule) return [];
  const path = fieldPath('aggregationRule', 'clusterRoleSelectors');
  const selectors = aggregationRule.clusterRoleSelectors ?? [];
  if (selectors.length === 0) return [requiredField(path, 'an aggregation must have at least one selector')];
  return selectors.flatMap((selector, index) => validateLabelSelector(selector, path.index(index)));
}
