import { validatePathSegmentName } from '@binnacle/api-objects';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { Role } from '../generated/rbac/v1.ts';
import { defaultCells, defaultColumns } from '../printing/columns.ts';
import { policyRuleErrors } from './policy-rules.ts';

/** The rules of Role objects. */
export const roleRules: KindRules<Role> = {
  createOnUpdate: true,
  nameRule: validatePathSegmentName,
  validate: object => policyRuleErrors(object, true),
  columns: defaultColumns,
  cells: defaultCells,
};
