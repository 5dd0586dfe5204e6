import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultRoles } from './default-policy.ts';
import type { DefaultRole } from './role-rule.ts';

const read = 'get list watch';
const write = 'create delete deletecollection patch update';
const all = `${read} ${write}`;

type Rights = Readonly<Record<string, string>>;

/** `group/resource` (the core group is empty) to verbs, as in the policy of release 1.26. */
const view: Rights = {
  ...rights('', read, 'configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods'),
  ...rights('', read, 'replicationcontrollers replicationcontrollers/scale replicationcontrollers/status'),
  ...rights('', read, 'serviceaccounts services services/status bindings events limitranges namespaces'),
  ...rights('', read, 'namespaces/status pods/log pods/status resourcequotas resourcequotas/status'),
  ...rights('discovery.cluster.io', read, 'endpointslices'),
  ...rights('apps', read, 'controllerrevisions daemonsets daemonsets/status deployments deployments/scale'),
  ...rights('apps', read, 'deployments/status replicasets replicasets/scale replicasets/status'),
  ...rights('apps', read, 'statefulsets statefulsets/scale statefulsets/status'),
  ...rights('autoscaling', read, 'horizontalpodautoscalers horizontalpodautoscalers/status'),
  ...rights('batch', read, 'cronjobs cronjobs/status jobs jobs/status'),
  ...rights(
    'extensions',
    read,
    'daemonsets daemonsets/status deployments deployments/scale deployments/status',
  ),
  ...rights('extensions', read, 'ingresses ingresses/status networkpolicies replicasets replicasets/scale'),
  ...rights('extensions', read, 'replicasets/status replicationcontrollers/scale'),
  ...rights('policy', read, 'poddisruptionbudgets poddisruptionbudgets/status'),
  ...rights('networking.cluster.io', read, 'ingresses ingresses/status networkpolicies'),
};
const aggregateToEdit: Rights = {
  ...rights('', all, 'pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy'),
  ...rights('', write, 'pods configmaps events persistentvolumeclaims replicationcontrollers services'),
  ...rights('', write, 'replicationcontrollers/scale'),
  ...rights('', `impersonate ${write}`, 'serviceaccounts'),
  ...rights('', 'create', 'pods/eviction serviceaccounts/token'),
  ...rights('apps', write, 'daemonsets deployments deployments/rollback deployments/scale replicasets'),
  ...rights('apps', write, 'replicasets/scale statefulsets statefulsets/scale'),
  ...rights('autoscaling', write, 'horizontalpodautoscalers'),
  ...rights('batch', write, 'cronjobs jobs'),
  ...rights('extensions', write, 'daemonsets deployments deployments/rollback deployments/scale ingresses'),
  ...rights(
    'extensions',
    write,
    'networkpolicies replicasets replicasets/scale replicationcontrollers/scale',
  ),
  ...rights('policy', write, 'poddisruptionbudgets'),
  ...rights('networking.cluster.io', write, 'ingresses networkpolicies'),
  ...rights('coordination.cluster.io', all, 'leases'),
};
const aggregateToAdmin: Rights = {
  ...rights('authorization.cluster.io', 'create', 'localsubjectaccessreviews'),
  ...rights('rbac.authorization.cluster.io', all, 'rolebindings roles'),
};
const expected: Readonly<Record<string, Rights>> = {
  'system:aggregate-to-view': view,
  'system:aggregate-to-edit': aggregateToEdit,
  'system:aggregate-to-admin': aggregateToAdmin,
  view,
  edit: joined(view, aggregateToEdit),
  admin: joined(view, aggregateToEdit, aggregateToAdmin),
  'system:auth-delegator': {
    ...rights('authentication.cluster.io', 'create', 'tokenreviews'),
    ...rights('authorization.cluster.io', 'create', 'subjectaccessreviews'),
  },
  'system:basic-user': rights(
    'authorization.cluster.io',
    'create',
    'selfsubjectaccessreviews selfsubjectrulesreviews',
  ),
  'system:discovery': {},
  'system:public-info-viewer': {},
  'system:monitoring': {},
  'system:service-account-issuer-discovery': {},
};

for (const [name, wanted] of Object.entries(expected))
  test(`${name} has exactly the verbs of release 1.26 on each resource`, () => {
    const role = defaultRoles.find(other => other.name === name);
    assert.ok(role);
    assert.deepEqual(sorted(listRights(role)), sorted(wanted));
  });

test('no default role except those of the control plane can write Endpoints and EndpointSlices', () => {
  const controlPlane = /^system:(controller:|(cluster|kube|binnacle)-(controller-manager|scheduler)$)/;
  for (const role of defaultRoles.filter(({ name }) => !controlPlane.test(name))) {
    const { '/endpoints': core = '', 'discovery.cluster.io/endpointslices': slices = '' } = listRights(role);
    assert.doesNotMatch(`${core} ${slices}`, /create|update|patch|delete/, role.name);
  }
});

function rights(group: string, verbs: string, resources: string): Rights {
  return Object.fromEntries(resources.split(' ').map(resource => [`${group}/${resource}`, verbs]));
}

function listRights({ rules }: DefaultRole): Rights {
  return joined(
    ...rules.flatMap(({ apiGroups = [], resources = [], verbs }) =>
      apiGroups.map(group => rights(group, verbs.join(' '), resources.join(' ') || 'none')),
    ),
  );
}

function joined(...parts: readonly Rights[]): Rights {
  const all: Record<string, string> = {};
  for (const part of parts)
    for (const [resource, verbs] of Object.entries(part)) all[resource] = `${all[resource] ?? ''} ${verbs}`;
  return all;
}

function sorted(all: Rights): Rights {
  return Object.fromEntries(
    Object.entries(all)
      .map(([resource, verbs]) => [resource, [...new Set(verbs.trim().split(' '))].sort().join(' ')] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
