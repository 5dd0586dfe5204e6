import { components, namespaces, understood } from '@binnacle/api-names';
import { controllerRole } from './controller-roles.ts';
import {
  type DefaultBinding,
  type DefaultRole,
  on,
  type RoleRule,
  type RoleSubject,
  read,
  recordEvents,
  user,
} from './role-rule.ts';

/**
 * The config map that tells extension servers the authorities of client certificates, and the headers of this API's
 * proxies.
 */
export const authenticationConfigMap = 'extension-apiserver-authentication';

/** A role of one namespace with a binding of it. */
interface BoundRole {
  readonly namespace: string;
  readonly name: string;
  readonly rules: readonly RoleRule[];
  readonly subjects: readonly RoleSubject[];
  /** The name of the binding; absent: that of the role. */
  readonly binding?: string;
}

/** The role of a controller for what it does in one namespace alone. */
function ofController(account: string, namespace: string, rules: readonly RoleRule[]): BoundRole {
  return { namespace, name: controllerRole(account), rules, subjects: [systemAccount(account)] };
}

function systemAccount(name: string): RoleSubject {
  return { kind: 'ServiceAccount', name, namespace: namespaces.system };
}

/** The role of a component that elects its leader by a config map. */
function ofLeaderElection(component: string, users: readonly string[]): BoundRole {
  return {
    namespace: namespaces.system,
    name: `system::leader-locking-${component}`,
    rules: [on('', 'configmaps', 'watch'), on('', 'configmaps', 'get update', [component])],
    subjects: [...users.map(user), systemAccount(component)],
  };
}

const controllerManagers = understood.users.controllerManager;
const schedulers = understood.users.scheduler;
const signer = 'bootstrap-signer';

const boundRoles: readonly BoundRole[] = [
  // Administrators add servers of other APIs.
  {
    namespace: namespaces.system,
    name: `${authenticationConfigMap}-reader`,
    binding: `system::${authenticationConfigMap}-reader`,
    rules: [on('', 'configmaps', read, [authenticationConfigMap])],
    subjects: [...controllerManagers, ...schedulers].map(user),
  },
  ofLeaderElection(components.controllerManager, controllerManagers),
  ofLeaderElection(components.scheduler, schedulers),
  ofController(signer, namespaces.public, [
    on('', 'configmaps', read),
    on('', 'configmaps', 'update', ['cluster-info']),
    recordEvents,
  ]),
  ofController(signer, namespaces.system, [on('', 'secrets', read)]),
  ofController('cloud-provider', namespaces.system, [on('', 'configmaps', 'create get list watch')]),
  ofController('token-cleaner', namespaces.system, [
    on('', 'secrets', 'delete get list watch'),
    recordEvents,
  ]),
];

/** The Roles that exist from the start. */
export const namespaceRoles: readonly DefaultRole[] = boundRoles.map(({ namespace, name, rules }) => ({
  namespace,
  name,
  rules,
}));

/** Their RoleBindings. */
export const namespaceBindings: readonly DefaultBinding[] = boundRoles.map(
  ({ namespace, name, binding = name, subjects }) => ({ namespace, name: binding, role: name, subjects }),
);
