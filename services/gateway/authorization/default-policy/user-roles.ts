import { groups, labels } from '@binnacle/api-names';
import { type DefaultRole, on, paths, type RoleRule, read, write } from './role-rule.ts';

const all = `${read} ${write}`;

const aggregateTo = (role: string) => `${labels.aggregateTo}${role}`;

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
  on(groups.discovery, ['endpointslices'], read),
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
  on(groups.networking, ['ingresses', 'ingresses/status', 'networkpolicies'], read),
];
const editRules: readonly RoleRule[] = [
  on('', [...podConnections, 'secrets', 'services/proxy'], read),
  on('', ['serviceaccounts'], 'impersonate'),
  on('', ['pods', ...podConnections], write),
  on('', ['pods/eviction'], 'create'),
  // Without endpoints, here and in the group discovery: a writer of addresses chooses where proxies and balancers
  // send the requests of others (CVE-2021-25740).
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
  on('', ['serviceaccounts/token'], 'create'),
  on('apps', [...workloads, 'deployments/rollback', ...scales], write),
  on('autoscaling', ['horizontalpodautoscalers'], write),
  on('batch', ['cronjobs', 'jobs'], write),
  on('extensions', [...extensionsWorkloads, 'deployments/rollback', ...extensionsScales], write),
  on('policy', ['poddisruptionbudgets'], write),
  on(groups.networking, ['ingresses', 'networkpolicies'], write),
  on(groups.coordination, ['leases'], all),
];

const adminRules: readonly RoleRule[] = [
  on(groups.authorization, ['localsubjectaccessreviews'], 'create'),
  on(groups.rbac, ['rolebindings', 'roles'], all),
];

const everything: readonly RoleRule[] = [on('*', '*', '*'), { verbs: ['*'], nonResourceURLs: ['*'] }];

/** The roles of users, and of programs that serve. */
export const userRoles: readonly DefaultRole[] = [
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
    rules: [on(groups.authorization, ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'], 'create')],
    whenServed: [{ version: 'v1alpha1', rule: on(groups.authentication, ['selfsubjectreviews'], 'create') }],
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
      on(groups.authentication, ['tokenreviews'], 'create'),
      on(groups.authorization, ['subjectaccessreviews'], 'create'),
    ],
  },
  {
    name: 'system:service-account-issuer-discovery',
    rules: [paths('/.well-known/openid-configuration', '/openid/v1/jwks')],
  },
];
