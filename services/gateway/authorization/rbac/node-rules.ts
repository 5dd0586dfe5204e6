import type { RoleRule } from './bootstrap-policy.ts';

const read = ['get', 'list', 'watch'];
const renew = ['get', 'create', 'update', 'patch', 'delete'];

/**
 * The rules of the role `system:node`. The Node authorizer goes by them too, except for objects that it allows only to
 * the node that they have to do with.
 */
export const nodeRules: readonly RoleRule[] = [
  // What an agent's own server asks about its callers.
  { verbs: ['create'], apiGroups: ['authentication.cluster.io'], resources: ['tokenreviews'] },
  {
    verbs: ['create'],
    apiGroups: ['authorization.cluster.io'],
    resources: ['localsubjectaccessreviews', 'subjectaccessreviews'],
  },
  { verbs: read, apiGroups: [''], resources: ['services'] },
  // NodeRestriction keeps an agent to its own node and pods.
  { verbs: ['create', ...read], apiGroups: [''], resources: ['nodes'] },
  { verbs: ['patch', 'update'], apiGroups: [''], resources: ['nodes/status'] },
  { verbs: ['patch', 'update'], apiGroups: [''], resources: ['nodes'] },
  { verbs: ['create', 'patch', 'update'], apiGroups: [''], resources: ['events'] },
  { verbs: read, apiGroups: [''], resources: ['pods'] },
  { verbs: ['create', 'delete'], apiGroups: [''], resources: ['pods'] },
  { verbs: ['patch', 'update'], apiGroups: [''], resources: ['pods/status'] },
  { verbs: ['create'], apiGroups: [''], resources: ['pods/eviction'] },
  { verbs: read, apiGroups: [''], resources: ['configmaps', 'secrets'] },
  { verbs: ['get'], apiGroups: [''], resources: ['persistentvolumeclaims', 'persistentvolumes'] },
  { verbs: ['get'], apiGroups: [''], resources: ['endpoints'] },
  {
    verbs: ['create', ...read],
    apiGroups: ['certificates.cluster.io'],
    resources: ['certificatesigningrequests'],
  },
  { verbs: renew, apiGroups: ['coordination.cluster.io'], resources: ['leases'] },
  { verbs: ['get'], apiGroups: ['storage.cluster.io'], resources: ['volumeattachments'] },
  { verbs: ['create'], apiGroups: [''], resources: ['serviceaccounts/token'] },
  { verbs: ['get', 'patch', 'update'], apiGroups: [''], resources: ['persistentvolumeclaims/status'] },
  { verbs: read, apiGroups: ['storage.cluster.io'], resources: ['csidrivers'] },
  { verbs: renew, apiGroups: ['storage.cluster.io'], resources: ['csinodes'] },
  { verbs: read, apiGroups: ['node.cluster.io'], resources: ['runtimeclasses'] },
];
