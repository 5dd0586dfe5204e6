import { groups } from '@binnacle/api-names';
import { type GroupVersionDeclaration, resource } from '../definitions/resource-declaration.ts';
import { clusterRoleRules } from './cluster-role.ts';
import { clusterRoleBindingRules } from './cluster-role-binding.ts';
import { roleRules } from './role.ts';
import { roleBindingRules } from './role-binding.ts';

/** Roles and their bindings, version v1. */
export const rbacV1: GroupVersionDeclaration = {
  group: groups.rbac,
  version: 'v1',
  protoPackage: 'rbac.v1',
  resources: [
    resource({
      kind: 'ClusterRoleBinding',
      resource: 'clusterrolebindings',
      namespaced: false,
      rules: clusterRoleBindingRules,
    }),
    resource({ kind: 'ClusterRole', resource: 'clusterroles', namespaced: false, rules: clusterRoleRules }),
    resource({ kind: 'RoleBinding', resource: 'rolebindings', namespaced: true, rules: roleBindingRules }),
    resource({ kind: 'Role', resource: 'roles', namespaced: true, rules: roleRules }),
  ],
};
