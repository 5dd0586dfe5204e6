import { components, namespaces, roles, understood, users } from '@binnacle/api-names';
import { componentRoles } from './component-roles.ts';
import { controllerBindings, controllerRoles } from './controller-roles.ts';
import { namespaceBindings, namespaceRoles } from './namespace-roles.ts';
import { ownControllersBinding, ownControllersRole } from './own-controllers.ts';
import { type DefaultBinding, type DefaultRole, group, user } from './role-rule.ts';
import { userRoles } from './user-roles.ts';

/** The roles that exist from the start. */
export const defaultRoles: readonly DefaultRole[] = [
  ...userRoles,
  ...componentRoles,
  ...controllerRoles,
  ownControllersRole,
  ...namespaceRoles,
];

const authenticated = group('system:authenticated');

/** A binding to the role of its own name. */
function bindingOf(name: string, subjects: DefaultBinding['subjects']): DefaultBinding {
  return { name, role: name, subjects };
}

/** The bindings that exist from the start. */
export const defaultBindings: readonly DefaultBinding[] = [
  bindingOf('cluster-admin', [group('system:masters')]),
  bindingOf('system:discovery', [authenticated]),
  bindingOf('system:basic-user', [authenticated]),
  bindingOf('system:public-info-viewer', [authenticated, group('system:unauthenticated')]),
  bindingOf('system:monitoring', [group('system:monitoring')]),
  bindingOf('system:service-account-issuer-discovery', [group('system:serviceaccounts')]),
  // Without subjects: a binding of every agent would give each one the secrets of all. The mode Node gives them theirs.
  bindingOf('system:node', []),
  bindingOf('system:node-proxier', understood.users.nodeProxier.map(user)),
  bindingOf(roles.dns, [{ kind: 'ServiceAccount', name: components.dns, namespace: namespaces.system }]),
  bindingOf(users.scheduler, understood.users.scheduler.map(user)),
  bindingOf('system:volume-scheduler', understood.users.scheduler.map(user)),
  bindingOf(users.controllerManager, [user(users.controllerManager)]),
  ...controllerBindings,
  ownControllersBinding,
  ...namespaceBindings,
];
