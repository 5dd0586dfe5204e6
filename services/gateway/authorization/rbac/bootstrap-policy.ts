import { nodeRules } from './node-rules.ts';

/** One rule of a default role, in the fields of the API. */
export type RoleRule = {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
};

/** A default ClusterRole. */
export interface DefaultRole {
  readonly name: string;
  readonly rules: readonly RoleRule[];
  /** Further rules, each on a resource type that a server may serve or not. */
  readonly whenServed?: readonly { readonly version: string; readonly rule: RoleRule }[];
  readonly labels?: Readonly<Record<string, string>>;
  /** Labels of the roles whose rules this one gathers; `rules` are then what it begins with, in the order of gathering. */
  readonly aggregates?: readonly string[];
}

/** Whom a default binding names; a namespace makes it a service account. */
export interface RoleSubject {
  readonly kind: 'User' | 'Group' | 'ServiceAccount';
  readonly name: string;
  readonly namespace?: string;
}

/** A default ClusterRoleBinding. */
interface DefaultBinding {
  readonly name: string;
  readonly role: string;
  readonly subjects: readonly RoleSubject[];
}

const read = ['get', 'list', 'watch'];
const write = ['create', 'delete', 'deletecollection', 'patch', 'update'];
const all = [...read, ...write];

const aggregateTo = (role: string) => `rbac.authorization.cluster.io/aggregate-to-${role}`;

function on(group: string, resources: readonly string[], verbs: readonly string[]): RoleRule {
  return { verbs, apiGroups: [group], resources };
}

function paths(...nonResourceURLs: string[]): RoleRule {
  return { verbs: ['get'], nonResourceURLs };
}

const scalable = ['deployments', 'replicasets', 'statefulsets'];
const workloads = ['daemonsets', ...scalable];
const scales = scalable.map(name => `${name}/scale`);
/** A group that is not served any more; its rules are in the policy of release 1.26. */
const extensionsWorkloads = ['daemonsets', 'deployments', 'ingresses', 'networkpolicies', 'replicasets'];
const extensionsScales = ['deployments/scale', 'replicasets/scale', 'replicationcontrollers/scale'];
const podConnections = ['pods/attach', 'pods/exec', 'pods/portforward', 'pods/proxy'];

const viewRules: readonly RoleRule[] = [
  on(
    '',
    [
      'configmaps',
      'endpoints',
      'persistentvolumeclaims',
      'persistentvolumeclaims/status',
      'pods',
      'replicationcontrollers',
      'replicationcontrollers/scale',
      'serviceaccounts',
      'services',
      'services/status',
    ],
    read,
  ),
  on(
    '',
    [
      'bindings',
      'events',
      'limitranges',
      'namespaces/status',
      'pods/log',
      'pods/status',
      'replicationcontrollers/status',
      'resourcequotas',
      'resourcequotas/status',
    ],
    read,
  ),
  on('', ['namespaces'], read),
  on('discovery.cluster.io', ['endpointslices'], read),
  on(
    'apps',
    ['controllerrevisions', ...workloads, ...scales, ...workloads.map(name => `${name}/status`)],
    read,
  ),
  on('autoscaling', ['horizontalpodautoscalers', 'horizontalpodautoscalers/status'], read),
  on('batch', ['cronjobs', 'cronjobs/status', 'jobs', 'jobs/status'], read),
  on(
    'extensions',
    [
      ...extensionsWorkloads,
      ...extensionsScales,
      'daemonsets/status',
      'deployments/status',
      'ingresses/status',
      'replicasets/status',
    ],
    read,
  ),
  on('policy', ['poddisruptionbudgets', 'poddisruptionbudgets/status'], read),
  on('networking.cluster.io', ['ingresses', 'ingresses/status', 'networkpolicies'], read),
];
const editRules: readonly RoleRule[] = [
  on('', [...podConnections, 'secrets', 'services/proxy'], read),
  on('', ['serviceaccounts'], ['impersonate']),
  on('', ['pods', ...podConnections], write),
  on('', ['pods/eviction'], ['create']),
  // Without endpoints, here and in discovery.cluster.io: who writes addresses chooses where proxies and balancers send
  // the requests of others (CVE-2021-25740).
  on(
    '',
    [
      'configmaps',
      'events',
      'persistentvolumeclaims',
      'replicationcontrollers',
      'replicationcontrollers/scale',
      'secrets',
      'serviceaccounts',
      'services',
      'services/proxy',
    ],
    write,
  ),
  on('', ['serviceaccounts/token'], ['create']),
  on('apps', [...workloads, 'deployments/rollback', ...scales], write),
  on('autoscaling', ['horizontalpodautoscalers'], write),
  on('batch', ['cronjobs', 'jobs'], write),
  on('extensions', [...extensionsWorkloads, 'deployments/rollback', ...extensionsScales], write),
  on('policy', ['poddisruptionbudgets'], write),
  on('networking.cluster.io', ['ingresses', 'networkpolicies'], write),
  on('coordination.cluster.io', ['leases'], all),
];

/**
 * Rules that default roles once had and that gave more than they should. A server that starts takes them out of default
 * roles, to the letter: what an administrator wrote stays.
 */
export const withdrawnRules: readonly RoleRule[] = [
  // Of edit and admin: with endpoints.
  on(
    '',
    [
      'configmaps',
      'endpoints',
      'persistentvolumeclaims',
      'pods',
      'replicationcontrollers',
      'serviceaccounts',
      'services',
      'events',
    ],
    write,
  ),
];
const adminRules: readonly RoleRule[] = [
  on('authorization.cluster.io', ['localsubjectaccessreviews'], ['create']),
  on('rbac.authorization.cluster.io', ['rolebindings', 'roles'], all),
];

const everything: readonly RoleRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

/** The account that the garbage collector acts as, in cluster-system. */
const garbageCollector = 'generic-garbage-collector';

/** The roles that exist from the start. */
export const clusterRoles: readonly DefaultRole[] = [
  { name: 'cluster-admin', rules: everything },
  { name: 'system:aggregate-to-view', rules: viewRules, labels: { [aggregateTo('view')]: 'true' } },
  { name: 'system:aggregate-to-edit', rules: editRules, labels: { [aggregateTo('edit')]: 'true' } },
  { name: 'system:aggregate-to-admin', rules: adminRules, labels: { [aggregateTo('admin')]: 'true' } },
  {
    name: 'view',
    rules: viewRules,
    labels: { [aggregateTo('edit')]: 'true' },
    aggregates: [aggregateTo('view')],
  },
  {
    name: 'edit',
    rules: [...editRules, ...viewRules],
    labels: { [aggregateTo('admin')]: 'true' },
    aggregates: [aggregateTo('edit')],
  },
  {
    name: 'admin',
    rules: [...editRules, ...viewRules, ...adminRules],
    aggregates: [aggregateTo('admin')],
  },
  {
    name: 'system:discovery',
    rules: [
      paths(
        '/api',
        '/api/*',
        '/apis',
        '/apis/*',
        '/healthz',
        '/livez',
        '/openapi',
        '/openapi/*',
        '/readyz',
        '/version',
        '/version/',
      ),
    ],
  },
  {
    name: 'system:basic-user',
    rules: [
      on('authorization.cluster.io', ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'], ['create']),
    ],
    whenServed: [
      { version: 'v1alpha1', rule: on('authentication.cluster.io', ['selfsubjectreviews'], ['create']) },
    ],
  },
  {
    name: 'system:public-info-viewer',
    rules: [paths('/healthz', '/livez', '/readyz', '/version', '/version/')],
  },
  {
    name: 'system:monitoring',
    rules: [
      paths(
        '/healthz',
        '/healthz/*',
        '/livez',
        '/livez/*',
        '/metrics',
        '/metrics/slis',
        '/readyz',
        '/readyz/*',
      ),
    ],
  },
  {
    name: 'system:auth-delegator',
    rules: [
      on('authentication.cluster.io', ['tokenreviews'], ['create']),
      on('authorization.cluster.io', ['subjectaccessreviews'], ['create']),
    ],
  },
  {
    name: 'system:service-account-issuer-discovery',
    rules: [
      paths(
        '/.well-known/openid-configuration',
        '/.well-known/openid-configuration/',
        '/openid/v1/jwks',
        '/openid/v1/jwks/',
      ),
    ],
  },
  { name: 'system:node', rules: nodeRules },
  {
    name: 'system:cluster-controller-manager',
    rules: [
      { verbs: [...all], apiGroups: ['*'], resources: ['*'] },
      // Controllers with an account of their own act as it, with its rights.
      { ...on('', ['serviceaccounts'], ['impersonate']), resourceNames: [garbageCollector] },
      // Aggregated roles may hold rights that the controllers do not.
      on('rbac.authorization.cluster.io', ['clusterroles'], ['escalate']),
      paths('/api', '/api/*', '/apis', '/apis/*'),
    ],
  },
  {
    name: `system:controller:${garbageCollector}`,
    rules: [
      { verbs: ['delete', ...read, 'patch', 'update'], apiGroups: ['*'], resources: ['*'] },
      on('', ['events'], ['create', 'patch', 'update']),
      on('events.cluster.io', ['events'], ['create', 'patch', 'update']),
    ],
  },
];

const group = (name: string): RoleSubject => ({ kind: 'Group', name });

/** The bindings that exist from the start. */
export const clusterRoleBindings: readonly DefaultBinding[] = [
  { name: 'cluster-admin', role: 'cluster-admin', subjects: [group('system:masters')] },
  { name: 'system:discovery', role: 'system:discovery', subjects: [group('system:authenticated')] },
  { name: 'system:basic-user', role: 'system:basic-user', subjects: [group('system:authenticated')] },
  {
    name: 'system:public-info-viewer',
    role: 'system:public-info-viewer',
    subjects: [group('system:authenticated'), group('system:unauthenticated')],
  },
  { name: 'system:monitoring', role: 'system:monitoring', subjects: [group('system:monitoring')] },
  {
    name: 'system:service-account-issuer-discovery',
    role: 'system:service-account-issuer-discovery',
    subjects: [group('system:serviceaccounts')],
  },
  // Without subjects: a binding of every agent would give each one the secrets of all. The mode Node gives them theirs.
  { name: 'system:node', role: 'system:node', subjects: [] },
  {
    name: 'system:cluster-controller-manager',
    role: 'system:cluster-controller-manager',
    subjects: [{ kind: 'User', name: 'system:cluster-controller-manager' }],
  },
  {
    name: `system:controller:${garbageCollector}`,
    role: `system:controller:${garbageCollector}`,
    subjects: [{ kind: 'ServiceAccount', name: garbageCollector, namespace: 'cluster-system' }],
  },
];
