import { type RoleRule, write } from './role-rule.ts';

/**
 * Rules that default roles once had and that gave more than they should. A server that starts takes them out of default
 * roles, to the letter: what an administrator wrote stays.
 */
export const withdrawnRules: readonly RoleRule[] = [
  // Of edit and admin: with endpoints. The order is the one in which it was stored.
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
