import { groups } from '@binnacle/api-names';
import { on, type RoleRule, read } from './role-rule.ts';

const renew = 'create delete get patch update';

/**
 * The rules of the role `system:node`. The Node authorizer uses them too, except for objects that it allows only to
 * the node that they are related to.
 */
export const nodeRules: readonly RoleRule[] = [
  // Reviews of the callers of an agent's own server.
  on(groups.authentication, 'tokenreviews', 'create'),
  on(groups.authorization, 'localsubjectaccessreviews subjectaccessreviews', 'create'),
  on('', 'services', read),
  // NodeRestriction keeps an agent to its own node and pods.
  on('', 'nodes', 'create get list watch'),
  on('', 'nodes/status', 'patch update'),
  on('', 'nodes', 'patch update'),
  on('', 'events', 'create patch update'),
  on('', 'pods', read),
  on('', 'pods', 'create delete'),
  on('', 'pods/status', 'patch update'),
  on('', 'pods/eviction', 'create'),
  on('', 'configmaps secrets', read),
  on('', 'persistentvolumeclaims persistentvolumes', 'get'),
  on('', 'endpoints', 'get'),
  on(groups.certificates, 'certificatesigningrequests', 'create get list watch'),
  on(groups.coordination, 'leases', renew),
  on(groups.storage, 'volumeattachments', 'get'),
  on('', 'serviceaccounts/token', 'create'),
  on('', 'persistentvolumeclaims/status', 'get patch update'),
  on(groups.storage, 'csidrivers', read),
  on(groups.storage, 'csinodes', renew),
  on(groups.node, 'runtimeclasses', read),
];
