import { groups, namespaces, signers } from '@binnacle/api-names';
import { type DefaultBinding, type DefaultRole, on, type RoleRule, read, recordEvents } from './role-rule.ts';

/** The rules of Kubernetes' controllers, each with a service account of its own, by the names of these accounts. */
const rulesOfControllers: Readonly<Record<string, readonly RoleRule[]>> = {
  'attachdetach-controller': [
    on('', 'persistentvolumeclaims persistentvolumes', 'list watch'),
    on('', 'nodes', read),
    on('', 'nodes/status', 'patch update'),
    on('', 'pods', 'list watch'),
    recordEvents,
    on(groups.storage, 'volumeattachments', 'create delete get list watch'),
    on(groups.storage, 'csidrivers', read),
    on(groups.storage, 'csinodes', read),
  ],
  'certificate-controller': [
    on(groups.certificates, 'certificatesigningrequests', 'delete get list watch'),
    on(
      groups.certificates,
      'certificatesigningrequests/approval certificatesigningrequests/status',
      'update',
    ),
    on(groups.certificates, 'signers', 'approve', [signers.kubeApiserverClientKubelet]),
    on(groups.certificates, 'signers', 'sign', [
      signers.kubeApiserverClient,
      signers.kubeApiserverClientKubelet,
      signers.kubeletServing,
      signers.legacyUnknown,
    ]),
    on(groups.authorization, 'subjectaccessreviews', 'create'),
    recordEvents,
  ],
  'clusterrole-aggregation-controller': [
    on(groups.rbac, 'clusterroles', 'escalate get list patch update watch'),
  ],
  'cronjob-controller': [
    on('batch', 'cronjobs', 'get list update watch'),
    on('batch', 'jobs', 'create delete get list patch update watch'),
    on('batch', 'cronjobs/status', 'update'),
    on('batch', 'cronjobs/finalizers', 'update'),
    on('', 'pods', 'delete list'),
    recordEvents,
  ],
  'daemon-set-controller': [
    on(['apps', 'extensions'], 'daemonsets', read),
    on(['apps', 'extensions'], 'daemonsets/status', 'update'),
    on(['apps', 'extensions'], 'daemonsets/finalizers', 'update'),
    on('', 'nodes', 'list watch'),
    on('', 'pods', 'create delete list patch watch'),
    on('', 'pods/binding', 'create'),
    on('apps', 'controllerrevisions', 'create delete get list patch update watch'),
    recordEvents,
  ],
  'deployment-controller': [
    on(['apps', 'extensions'], 'deployments', 'get list update watch'),
    on(['apps', 'extensions'], 'deployments/status', 'update'),
    on(['apps', 'extensions'], 'deployments/finalizers', 'update'),
    on(['apps', 'extensions'], 'replicasets', 'create delete get list patch update watch'),
    on('', 'pods', 'get list update watch'),
    recordEvents,
  ],
  'disruption-controller': [
    on(['apps', 'extensions'], 'deployments', read),
    on(['apps', 'extensions'], 'replicasets', read),
    on('', 'replicationcontrollers', read),
    on('policy', 'poddisruptionbudgets', read),
    on('apps', 'statefulsets', read),
    on('policy', 'poddisruptionbudgets/status', 'update'),
    on('*', '*/scale', 'get'),
    recordEvents,
    on('', 'pods/status', 'patch'),
  ],
  'endpoint-controller': [
    on('', 'pods services', read),
    on('', 'endpoints', 'create delete get list update'),
    on('', 'endpoints/restricted', 'create'),
    recordEvents,
  ],
  'endpointslice-controller': [
    on('', 'nodes pods services', read),
    on('', 'services/finalizers', 'update'),
    on(groups.discovery, 'endpointslices', 'create delete get list update'),
    recordEvents,
  ],
  'endpointslicemirroring-controller': [
    on('', 'endpoints services', read),
    on('', 'services/finalizers', 'update'),
    on('', 'endpoints/finalizers', 'update'),
    on(groups.discovery, 'endpointslices', 'create delete get list update'),
    recordEvents,
  ],
  'ephemeral-volume-controller': [
    on('', 'pods', read),
    on('', 'pods/finalizers', 'update'),
    on('', 'persistentvolumeclaims', 'create get list watch'),
    recordEvents,
  ],
  'expand-controller': [
    on('', 'persistentvolumes', 'get list patch update watch'),
    on('', 'persistentvolumeclaims/status', 'patch update'),
    on('', 'persistentvolumeclaims', read),
    on(groups.storage, 'storageclasses', read),
    on('', 'endpoints services', 'get'),
    on('', 'secrets', 'get'),
    recordEvents,
  ],
  'generic-garbage-collector': [on('*', '*', 'delete get list patch update watch'), recordEvents],
  'horizontal-pod-autoscaler': [
    on('autoscaling', 'horizontalpodautoscalers', read),
    on('autoscaling', 'horizontalpodautoscalers/status', 'update'),
    on('*', '*/scale', 'get update'),
    on('', 'pods', 'list'),
    on('', 'services/proxy', 'get', ['http:heapster:', 'https:heapster:']),
    on(groups.metrics, 'pods', 'list'),
    on(groups.customMetrics, '*', 'get list'),
    on(groups.externalMetrics, '*', 'get list'),
    recordEvents,
  ],
  'job-controller': [
    on('batch', 'jobs', 'get list patch update watch'),
    on('batch', 'jobs/status', 'update'),
    on('batch', 'jobs/finalizers', 'update'),
    on('', 'pods', 'create delete list patch watch'),
    recordEvents,
  ],
  'namespace-controller': [
    on('', 'namespaces', 'delete get list watch'),
    on('', 'namespaces/finalize namespaces/status', 'update'),
    on('*', '*', 'delete deletecollection get list'),
  ],
  'node-controller': [
    on('', 'nodes', 'delete get list patch update'),
    on('', 'nodes/status', 'patch update'),
    on('', 'pods/status', 'patch update'),
    on('', 'pods', 'delete list'),
    on(groups.networking, 'clustercidrs', 'create get list update'),
    recordEvents,
    on('', 'pods', 'get'),
  ],
  'persistent-volume-binder': [
    on('', 'persistentvolumes', 'create delete get list update watch'),
    on('', 'persistentvolumes/status', 'update'),
    on('', 'persistentvolumeclaims', 'get list update watch'),
    on('', 'persistentvolumeclaims/status', 'update'),
    on('', 'pods', 'create delete get list watch'),
    on(groups.storage, 'storageclasses', read),
    on('', 'endpoints', 'create delete get update'),
    on('', 'services', 'create delete get'),
    on('', 'secrets', 'get'),
    on('', 'nodes', 'get list'),
    on('', 'events', 'watch'),
    recordEvents,
  ],
  'pod-garbage-collector': [
    on('', 'pods', 'delete list watch'),
    on('', 'nodes', 'get list'),
    on('', 'pods/status', 'patch'),
  ],
  'pv-protection-controller': [on('', 'persistentvolumes', 'get list update watch'), recordEvents],
  'pvc-protection-controller': [
    on('', 'persistentvolumeclaims', 'get list update watch'),
    on('', 'pods', read),
    recordEvents,
  ],
  'replicaset-controller': [
    on(['apps', 'extensions'], 'replicasets', 'get list update watch'),
    on(['apps', 'extensions'], 'replicasets/status', 'update'),
    on(['apps', 'extensions'], 'replicasets/finalizers', 'update'),
    on('', 'pods', 'create delete list patch watch'),
    recordEvents,
  ],
  'replication-controller': [
    on('', 'replicationcontrollers', 'get list update watch'),
    on('', 'replicationcontrollers/status', 'update'),
    on('', 'replicationcontrollers/finalizers', 'update'),
    on('', 'pods', 'create delete list patch watch'),
    recordEvents,
  ],
  'resourcequota-controller': [
    on('*', '*', 'list watch'),
    on('', 'resourcequotas/status', 'update'),
    recordEvents,
  ],
  'root-ca-cert-publisher': [on('', 'configmaps', 'create update'), recordEvents],
  'route-controller': [on('', 'nodes', 'list watch'), on('', 'nodes/status', 'patch'), recordEvents],
  'service-account-controller': [on('', 'serviceaccounts', 'create'), recordEvents],
  'service-controller': [
    on('', 'services', read),
    on('', 'services/status', 'patch update'),
    on('', 'nodes', 'list watch'),
    recordEvents,
  ],
  'statefulset-controller': [
    on('', 'pods', 'list watch'),
    on('apps', 'statefulsets', read),
    on('apps', 'statefulsets/status', 'update'),
    on('apps', 'statefulsets/finalizers', 'update'),
    on('', 'pods', 'create delete get patch update'),
    on('apps', 'controllerrevisions', 'create delete get list patch update watch'),
    on('', 'persistentvolumeclaims', 'create get'),
    recordEvents,
  ],
  'ttl-after-finished-controller': [on('batch', 'jobs', 'delete get list watch'), recordEvents],
  'ttl-controller': [on('', 'nodes', 'list patch update watch'), recordEvents],
};

/** The roles of Kubernetes' controllers. */
export const controllerRoles: readonly DefaultRole[] = Object.entries(rulesOfControllers).map(
  ([account, rules]) => ({ name: controllerRole(account), rules }),
);

/** The bindings of these roles to the service accounts of the controllers. */
export const controllerBindings: readonly DefaultBinding[] = Object.keys(rulesOfControllers).map(account => ({
  name: controllerRole(account),
  role: controllerRole(account),
  subjects: [{ kind: 'ServiceAccount', name: account, namespace: namespaces.system }],
}));

/** The name of the role, and of its binding, of the controller with an account. */
export function controllerRole(account: string): string {
  return `system:controller:${account}`;
}
