import { components, groups, namespaces, roles, serviceUsers, understood, users } from '@binnacle/api-names';
import { componentRoles } from './component-roles.ts';
import { controllerBindings, controllerRoles } from './controller-roles.ts';
import { namespaceBindings, namespaceRoles } from './namespace-roles.ts';
import {
  type DefaultBinding,
  type DefaultRole,
  group,
  on,
  paths,
  type RoleRule,
  read,
  user,
  write,
} from './role-rule.ts';
import { userRoles } from './user-roles.ts';

/** The user of all of this project's controllers. */
const ownControllers = serviceUsers.controllerManager;

/** The account that the garbage collector acts as. */
const garbageCollector = 'generic-garbage-collector';

const ownControllersRole: DefaultRole = {
  name: ownControllers,
  rules: [
    on('*', '*', `${read} ${write}`),
    // Controllers with an account of their own act as it, with its rights.
    on('', 'serviceaccounts', 'impersonate', [garbageCollector]),
    // Aggregated roles may hold rights that the controllers do not.
    on(groups.rbac, 'clusterroles', 'escalate'),
    paths('/api', '/api/*', '/apis', '/apis/*'),
  ],
};

const ownControllersBinding: DefaultBinding = {
  name: ownControllers,
  role: ownControllers,
  subjects: [user(ownControllers)],
};

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
function createBinding(name: string, subjects: DefaultBinding['subjects']): DefaultBinding {
  return { name, role: name, subjects };
}

/** The bindings that exist from the start. */
export const defaultBindings: readonly DefaultBinding[] = [
  createBinding('cluster-admin', [group('system:masters')]),
  createBinding('system:discovery', [authenticated]),
  createBinding('system:basic-user', [authenticated]),
  createBinding('system:public-info-viewer', [authenticated, group('system:unauthenticated')]),
  createBinding('system:monitoring', [group('system:monitoring')]),
  createBinding('system:service-account-issuer-discovery', [group('system:serviceaccounts')]),
  // Without subjects: bound to all agents, it would let each one read the secrets of all. The mode Node grants each
  // its own.
  createBinding('system:node', []),
  createBinding('system:node-proxier', understood.users.nodeProxier.map(user)),
  createBinding(roles.dns, [{ kind: 'ServiceAccount', name: components.dns, namespace: namespaces.system }]),
  createBinding(users.scheduler, understood.users.scheduler.map(user)),
  createBinding('system:volume-scheduler', understood.users.scheduler.map(user)),
  createBinding(users.controllerManager, [user(users.controllerManager)]),
  ...controllerBindings,
  ownControllersBinding,
  ...namespaceBindings,
];

/**
 * Rules that default roles once had and that gave more than they should. A server that starts takes them out of default
 * roles, to the letter: what an administrator wrote stays.
 */
export const withdrawnRules: readonly RoleRule[] = [
  // A rule of edit and admin with endpoints, in the order in which it was stored.
  {
    verbs: write.split(' '),
    apiGroups: [''],
    resources: [
      'configmaps',
      'endpoints',
      'persistentvolumeclaims',
      'pods',
      'replicationcontrollers',
      'serviceaccounts',
      'services',
      'events',
    ],
  },
];
