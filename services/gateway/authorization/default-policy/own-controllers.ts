import { groups, serviceUsers } from '@binnacle/api-names';
import { type DefaultBinding, type DefaultRole, on, paths, read, user, write } from './role-rule.ts';

const name = serviceUsers.controllerManager;

/** The account that the garbage collector acts as. */
const garbageCollector = 'generic-garbage-collector';

/** The rules of this project's controllers, which all are one user. */
export const ownControllersRole: DefaultRole = {
  name,
  rules: [
    on('*', '*', `${read} ${write}`),
    // Controllers with an account of their own act as it, with its rights.
    on('', 'serviceaccounts', 'impersonate', [garbageCollector]),
    // Aggregated roles may hold rights that the controllers do not.
    on(groups.rbac, 'clusterroles', 'escalate'),
    paths('/api', '/api/*', '/apis', '/apis/*'),
  ],
};

export const ownControllersBinding: DefaultBinding = { name, role: name, subjects: [user(name)] };
