import { validatePathSegmentName } from '@binnacle/api-objects';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { RoleBinding } from '../generated/rbac/v1.ts';
import {
  applyBindingDefaults,
  bindingCells,
  bindingColumns,
  bindingErrors,
  nameBindingGroups,
  roleRefChangeErrors,
} from './bindings.ts';

/** The rules of RoleBinding objects. */
export const roleBindingRules: KindRules<RoleBinding> = {
  createOnUpdate: true,
  nameRule: validatePathSegmentName,
  nameGroups: nameBindingGroups,
  applyDefaults: applyBindingDefaults,
  validate: object => bindingErrors(object, { roleKinds: ['ClusterRole', 'Role'], namespaced: true }),
  validateUpdate: roleRefChangeErrors,
  columns: bindingColumns,
  cells: bindingCells,
};
