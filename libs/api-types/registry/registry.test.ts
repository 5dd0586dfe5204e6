import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { ofKubernetes } from '@binnacle/api-names/testing';
import { createTypeRegistry, objectKey } from '../index.ts';

/** The `storageVersionHash` of each kind in the discovery of kube-apiserver 1.26, equal in all versions of a kind. */
const releaseHashes: Readonly<Record<string, string>> = {
  configmaps: 'qFsyl6wFWjQ=',
  endpoints: 'fWeeMqaN/OA=',
  events: 'r2yiGXH7wu8=',
  limitranges: 'EBKMFVe6cwo=',
  namespaces: 'Q3oi5N2YM8M=',
  nodes: 'XwShjMxG9Fs=',
  persistentvolumeclaims: 'QWTyNDq0dC4=',
  persistentvolumes: 'HN/zwEC+JgM=',
  pods: 'xPOwRZ+Yhw8=',
  podtemplates: 'LIXB2x4IFpk=',
  replicationcontrollers: 'Jond2If31h0=',
  resourcequotas: '8uhSgffRX6w=',
  secrets: 'S6u1pOWzb84=',
  serviceaccounts: 'pbx9ZvyFpBE=',
  services: '0/CO1lhkEBI=',
  apiservices: 'InPBPD7+PqM=',
  controllerrevisions: '85nkx63pcBU=',
  daemonsets: 'dd7pWHUlMKQ=',
  deployments: '8aSe+NMegvE=',
  replicasets: 'P1RzHs8/mWQ=',
  statefulsets: 'H+vl74LkKdo=',
  horizontalpodautoscalers: 'oQlkt7f5j/A=',
  cronjobs: 'sd5LIXh4Fjs=',
  jobs: 'mudhfqk/qZY=',
  certificatesigningrequests: '95fRKMXA+00=',
  ingressclasses: 'l/iqIbDgFyQ=',
  ingresses: '39NQlfNR+bo=',
  networkpolicies: 'YpfwF18m1G8=',
  clustercidrs: 'iC0u25BTSsc=',
  poddisruptionbudgets: 'EVWiDmWqyJw=',
  clusterrolebindings: '48tpQ8gZHFc=',
  clusterroles: 'bYE5ZWDrJ44=',
  rolebindings: 'eGsCzGH6b1g=',
  roles: '7FuwZcIIItM=',
  csidrivers: 'hL6j/rwBV5w=',
  csinodes: 'Pe62DkZtjuo=',
  csistoragecapacities: 'xeVl+2Ly1kE=',
  storageclasses: 'K+m6uJwbjGY=',
  volumeattachments: 'tJx/ezt6UDU=',
  mutatingwebhookconfigurations: 'Sqi0GUgDaX0=',
  validatingwebhookconfigurations: 'B0wHjQmsGNk=',
  validatingadmissionpolicies: 'Vd+hadMG3gs=',
  validatingadmissionpolicybindings: 'Yc3M4GKADk4=',
  customresourcedefinitions: 'jfWCUB31mvA=',
  priorityclasses: '1QwjyaZjj3Y=',
  leases: 'gqkMMb/YqFM=',
  runtimeclasses: 'WQTu1GL3T2Q=',
  endpointslices: 'Nx3SIv6I0mE=',
  flowschemas: 'G+8IkrqFuJw=',
  prioritylevelconfigurations: 'wltM4WMeeXs=',
};

describe('the type registry', () => {
  const registry = createTypeRegistry();

  it('lists the groups in the order of /apis, the core group first', () => {
    assert.deepEqual(
      registry.groups().map(group => [group.group, group.versions, group.preferredVersion]),
      [
        ['', ['v1'], 'v1'],
        ['apiregistration.cluster.io', ['v1'], 'v1'],
        ['apps', ['v1'], 'v1'],
        ['events.cluster.io', ['v1'], 'v1'],
        ['authentication.cluster.io', ['v1'], 'v1'],
        ['authorization.cluster.io', ['v1'], 'v1'],
        ['autoscaling', ['v2', 'v1'], 'v2'],
        ['batch', ['v1'], 'v1'],
        ['certificates.cluster.io', ['v1'], 'v1'],
        ['networking.cluster.io', ['v1'], 'v1'],
        ['policy', ['v1'], 'v1'],
        ['rbac.authorization.cluster.io', ['v1'], 'v1'],
        ['storage.cluster.io', ['v1', 'v1beta1'], 'v1'],
        ['admissionregistration.cluster.io', ['v1'], 'v1'],
        ['apiextensions.cluster.io', ['v1'], 'v1'],
        ['scheduling.cluster.io', ['v1'], 'v1'],
        ['coordination.cluster.io', ['v1'], 'v1'],
        ['node.cluster.io', ['v1'], 'v1'],
        ['discovery.cluster.io', ['v1'], 'v1'],
        ['flowcontrol.apiserver.cluster.io', ['v1beta3', 'v1beta2'], 'v1beta3'],
      ],
    );
  });

  it('finds resources by plural and by kind', () => {
    const leases = registry.resource('coordination.cluster.io', 'v1', 'leases');
    assert.equal(leases, registry.kind('coordination.cluster.io', 'v1', 'Lease'));
    assert.equal(leases?.listKind, 'LeaseList');
    assert.equal(leases?.message.fullName, 'coordination.v1.Lease');
    assert.equal(registry.resource('', 'v1', 'leases'), undefined);
    assert.equal(registry.kind('', 'v2', 'Pod'), undefined);
  });

  it('has scopes, short names, verbs and subresources', () => {
    const namespaces = registry.resource('', 'v1', 'namespaces');
    assert.ok(namespaces);
    assert.equal(namespaces.namespaced, false);
    assert.deepEqual(namespaces.shortNames, ['ns']);
    assert.equal(namespaces.verbs.includes('deletecollection'), false);
    assert.deepEqual([...namespaces.subresources.keys()], ['finalize', 'status']);
    assert.deepEqual(namespaces.subresources.get('finalize')?.verbs, ['update']);
    assert.deepEqual(registry.resource('', 'v1', 'pods')?.categories, ['all']);
  });

  it('has as many cells as columns for each kind', () => {
    for (const { kind, rules } of registry.resources) {
      const object = { apiVersion: 'v1', kind, metadata: { name: 'a' } };
      assert.equal(rules.cells?.(object, 0).length, rules.columns?.length, kind);
    }
  });

  it('has a value for each selectable field of each kind', () => {
    for (const { kind, rules } of registry.resources) {
      const object = { apiVersion: 'v1', kind, metadata: { name: 'a' } };
      assert.deepEqual(
        Object.keys(rules.selectableFields?.(object) ?? {}).sort(),
        [...(rules.selectableFieldNames ?? [])].sort(),
        kind,
      );
    }
  });

  it('gives each kind a stable hash of 8 bytes', () => {
    const stored = registry.resources.filter(resource => resource.stored);
    const hashes = stored.map(resource => resource.storageVersionHash);
    const kinds = new Set(stored.map(({ storagePrefix }) => storagePrefix));
    assert.equal(new Set(hashes).size, kinds.size);
    for (const hash of hashes) assert.equal(Buffer.from(hash, 'base64').length, 8);
  });

  it('gives each kind the hash of kube-apiserver 1.26', ofKubernetes, () => {
    const all = createTypeRegistry({ everyVersion: true }).resources;
    for (const { group, version, resource, stored, storageVersionHash } of all)
      assert.equal(
        storageVersionHash,
        stored ? releaseHashes[resource] : '',
        `${resource}.${version}.${group}`,
      );
  });

  it('hashes each kind with its storage version of kube-apiserver 1.26 and its own group name', () => {
    const hashed = [
      'apiextensions.cluster.io/v1beta1/CustomResourceDefinition',
      'autoscaling/v1/HorizontalPodAutoscaler',
    ];
    const hashes = hashed.map(text =>
      createHash('sha256').update(text).digest().subarray(0, 8).toString('base64'),
    );
    const found = [
      registry.resource('apiextensions.cluster.io', 'v1', 'customresourcedefinitions'),
      registry.resource('autoscaling', 'v2', 'horizontalpodautoscalers'),
    ];
    assert.deepEqual(
      found.map(definition => definition?.storageVersionHash),
      hashes,
    );
  });

  it('builds storage keys from group, resource, namespace and name', () => {
    const pods = registry.resource('', 'v1', 'pods');
    const roles = registry.resource('rbac.authorization.cluster.io', 'v1', 'clusterroles');
    assert.ok(pods && roles);
    assert.equal(objectKey(pods, 'n', 'p'), '/core/pods/n/p');
    assert.equal(objectKey(roles, 'ignored', 'r'), '/rbac.authorization.cluster.io/clusterroles//r');
  });

  it('knows the aliases of groups', () => {
    assert.equal(registry.canonicalGroup('coordination.k8s.io'), 'coordination.cluster.io');
    assert.equal(registry.canonicalGroup('apps'), 'apps');
    assert.equal(registry.canonicalGroup(''), '');
  });

  it('has every version when all are requested', () => {
    const everything = createTypeRegistry({ everyVersion: true });
    assert.ok(everything.resource('authentication.cluster.io', 'v1alpha1', 'selfsubjectreviews'));
    assert.equal(registry.resource('authentication.cluster.io', 'v1alpha1', 'selfsubjectreviews'), undefined);
    assert.equal(createTypeRegistry({ everyVersion: true }), everything);
  });

  it('is shared by equal options', () => {
    assert.equal(createTypeRegistry(), registry);
    assert.equal(createTypeRegistry({ runtimeConfig: '' }), registry);
    assert.notEqual(createTypeRegistry({ runtimeConfig: 'v1/endpoints=false' }), registry);
  });

  it('has messages that no resource uses', () => {
    assert.ok(registry.message('meta.v1.DeleteOptions')?.fields.has('gracePeriodSeconds'));
    assert.equal(registry.message('meta.v1.Nothing'), undefined);
  });
});

describe('--runtime-config', () => {
  const served = (runtimeConfig: string) =>
    createTypeRegistry({ runtimeConfig }).resources.map(entry => `${entry.group}/${entry.resource}`);

  it('switches versions and single resources off and on', () => {
    assert.equal(
      served('coordination.cluster.io/v1=false').includes('coordination.cluster.io/leases'),
      false,
    );
    assert.equal(served('coordination.k8s.io/v1=false').includes('coordination.cluster.io/leases'), false);
    assert.equal(served('v1/endpoints=false').includes('/endpoints'), false);
    assert.equal(
      served('v1=false,v1/pods').join(),
      ['/pods', ...served('').filter(name => !name.startsWith('/'))].join(),
    );
    assert.deepEqual(served('api/v1'), served(''));
  });

  it('switches all versions of a stability level, and named versions override that', () => {
    const versions = (runtimeConfig: string) => [
      ...new Set(
        createTypeRegistry({ runtimeConfig }).resources.map(entry => `${entry.group}/${entry.version}`),
      ),
    ];
    const byLevel = (level: RegExp) => versions('api/all').filter(version => level.test(version));
    const [stable, beta, alpha] = [/\/v\d+$/, /beta/, /alpha/].map(byLevel);
    assert.ok(stable?.length && beta?.length && alpha?.length);
    assert.deepEqual(versions('').sort(), [...stable, ...beta].sort());
    assert.deepEqual(versions('api/all=false,v1'), ['/v1']);
    assert.deepEqual(versions('v1=1,api/all=f'), ['/v1']);
    assert.deepEqual(versions('api/beta=false').sort(), [...stable].sort());
    assert.deepEqual(versions('api/ga=false').sort(), [...beta].sort());
    assert.deepEqual(versions('api/alpha=true').sort(), [...stable, ...beta, ...alpha].sort());
    assert.deepEqual(versions('api/all=false,api/alpha').sort(), [...alpha].sort());
    assert.equal(versions('api/alpha,storage.cluster.io/v1=').includes('storage.cluster.io/v1'), true);
  });

  it('removes a group without resources', () => {
    const groups = createTypeRegistry({ runtimeConfig: 'coordination.cluster.io/v1=false' }).groups();
    assert.equal(
      groups.some(group => group.group === 'coordination.cluster.io'),
      false,
    );
  });

  for (const [config, named] of [
    ['nonsense.cluster.io/v1', 'nonsense.cluster.io/v1'],
    ['v9=false', 'v9'],
    ['coordination.cluster.io/v2', 'coordination.cluster.io/v2'],
    ['v1/widgets', 'v1/widgets'],
    ['v1=maybe', 'v1=maybe'],
    ['api/all=maybe', 'api/all=maybe'],
    ['api/gamma', 'api/gamma'],
    ['v1=true=true', 'v1=true=true'],
    ['v1/pods/status', 'v1/pods/status'],
  ] as const) {
    it(`refuses ${config} by name`, () => {
      assert.throws(
        () => createTypeRegistry({ runtimeConfig: config }),
        (error: Error) => error.message.includes(named),
      );
    });
  }
});
