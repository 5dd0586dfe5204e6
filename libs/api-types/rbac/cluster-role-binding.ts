import { validatePathSegmentName } from '@binnacle/api-objects';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { ClusterRoleBinding } from '../generated/rbac/v1.ts';
import {
  applyBindingDefaults,
  bindingCells,
  bindingColumns,
  bindingErrors,
  nameBindingGroups,
  roleRefChangeErrors,
} from './bindings.ts';

/** The rules of ClusterRoleBinding objects. */
export const clusterRoleBindingRules: KindRules<ClusterRoleBinding> = {
  createOnUpdate: true,
  nameRule: validatePathSegmentName,
  nameGroups: nameBindingGroups,
  applyDefaults: applyBindingDefaults,
  validate: object => bindingErrors(object, { roleKinds: ['ClusterRole'], namespaced: false }),
  validateUpdate: roleRefChangeErrors,
  columns: bindingColumns,
  cells: bindingCells,
};
