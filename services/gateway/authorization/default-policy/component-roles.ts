import { components, groups, roles, signers, users } from '@binnacle/api-names';
import { nodeRules } from './node-rules.ts';
import { type DefaultRole, on, type RoleRule, read, recordEvents } from './role-rule.ts';

/** The rules of a component that elects a leader, for its lock. */
function leaderElection(lock: string): RoleRule[] {
  return [groups.coordination, ''].flatMap(group => {
    const resources = group === '' ? 'endpoints' : 'leases';
    return [on(group, resources, 'create'), on(group, resources, 'get update', [lock])];
  });
}

/** The rules of a component with an API of its own, for token and access reviews of its callers. */
const delegation: readonly RoleRule[] = [
  on(groups.authentication, 'tokenreviews', 'create'),
  on(groups.authorization, 'subjectaccessreviews', 'create'),
];

/** The rules of Kubernetes' controller manager; its controllers have accounts of their own. */
const controllerManagerRules: readonly RoleRule[] = [
  recordEvents,
  ...leaderElection(components.controllerManager),
  on('', 'secrets serviceaccounts', 'create'),
  on('', 'secrets', 'delete'),
  on('', 'configmaps namespaces secrets serviceaccounts', 'get'),
  on('', 'secrets serviceaccounts', 'update'),
  ...delegation,
  // Informers of all resources.
  on('*', '*', 'list watch'),
  on('', 'serviceaccounts/token', 'create'),
];

const schedulerRules: readonly RoleRule[] = [
  recordEvents,
  ...leaderElection(components.scheduler),
  on('', 'nodes', read),
  on('', 'pods', 'delete get list watch'),
  on('', 'bindings pods/binding', 'create'),
  on('', 'pods/status', 'patch update'),
  on('', 'replicationcontrollers services', read),
  on(['apps', 'extensions'], 'replicasets', read),
  on('apps', 'statefulsets', read),
  on('policy', 'poddisruptionbudgets', read),
  on('', 'persistentvolumeclaims persistentvolumes', read),
  ...delegation,
  on(groups.storage, 'csinodes', read),
  on('', 'namespaces', read),
  on(groups.storage, 'csidrivers', read),
  on(groups.storage, 'csistoragecapacities', read),
];

/** The roles for approval of certificate requests: those of registering nodes, and by signer. */
const certificateRoles: readonly DefaultRole[] = [
  ...['nodeclient', 'selfnodeclient'].map(subresource => ({
    name: `system:${groups.certificates}:certificatesigningrequests:${subresource}`,
    rules: [on(groups.certificates, `certificatesigningrequests/${subresource}`, 'create')],
  })),
  ...[
    signers.kubeApiserverClient,
    signers.kubeApiserverClientKubelet,
    signers.kubeletServing,
    signers.legacyUnknown,
  ].map(signer => ({
    name: `system:${groups.certificates}:${signer.slice(signer.indexOf('/') + 1)}-approver`,
    rules: [on(groups.certificates, 'signers', 'approve', [signer])],
  })),
];

/** The roles of Kubernetes' components. */
export const componentRoles: readonly DefaultRole[] = [
  { name: users.controllerManager, rules: controllerManagerRules },
  { name: users.scheduler, rules: schedulerRules },
  { name: 'system:node', rules: nodeRules },
  {
    name: 'system:node-bootstrapper',
    rules: [on(groups.certificates, 'certificatesigningrequests', 'create get list watch')],
  },
  {
    name: 'system:node-problem-detector',
    rules: [on('', 'nodes', 'get'), on('', 'nodes/status', 'patch'), recordEvents],
  },
  {
    name: 'system:node-proxier',
    rules: [
      on('', 'endpoints services', 'list watch'),
      on('', 'nodes', read),
      recordEvents,
      on(groups.discovery, 'endpointslices', 'list watch'),
    ],
  },
  {
    name: 'system:kubelet-api-admin',
    rules: [
      on('', 'nodes', read),
      on('', 'nodes', 'proxy'),
      on('', 'nodes/log nodes/metrics nodes/proxy nodes/spec nodes/stats', '*'),
    ],
  },
  { name: roles.aggregator, rules: [on('', 'endpoints services', read)] },
  { name: roles.dns, rules: [on('', 'endpoints services', 'list watch')] },
  {
    name: 'system:heapster',
    rules: [on('', 'events namespaces nodes pods', read), on('extensions', 'deployments', read)],
  },
  {
    name: 'system:persistent-volume-provisioner',
    rules: [
      on('', 'persistentvolumes', 'create delete get list watch'),
      on('', 'persistentvolumeclaims', 'get list update watch'),
      on(groups.storage, 'storageclasses', read),
      on('', 'events', 'watch'),
      recordEvents,
    ],
  },
  {
    name: 'system:volume-scheduler',
    rules: [
      on('', 'persistentvolumes', 'get list patch update watch'),
      on(groups.storage, 'storageclasses', read),
      on('', 'persistentvolumeclaims', 'get list patch update watch'),
    ],
  },
  ...certificateRoles,
];
