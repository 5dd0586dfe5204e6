import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { ApiObject, JsonObject, JsonValue } from '@binnacle/api-objects';
import { decodeStored, encodeStored } from '@binnacle/codecs';
import { storageKeyFrom } from '@binnacle/storage-contract';
import type { ConformanceServer } from '../conformance/drivers/conformance-server.ts';
import { startStandaloneHere } from '../conformance/standalone-form.ts';
import { startConformanceServer } from '../conformance/start-conformance-server.ts';
import { readStore, replaceRecords, unpackConverted } from '../stored-objects/fixture.ts';
import { until } from './api-server.ts';

/** Objects of built-in kinds that break rules, as an earlier release that did not have these could have stored them. */

/** A stored object that is wrong: its key, and values that no client could give it now, by their paths. */
type Broken = readonly [key: string, values: Readonly<Record<string, JsonValue>>];

const container = '/spec/containers/0';
const template = '/spec/template/spec/containers/0';
const broken: readonly Broken[] = [
  [
    '/core/pods/kept/worker',
    {
      [`${container}/name`]: 'NOT A NAME',
      '/spec/restartPolicy': 'Sometimes',
      [`${container}/ports/0/containerPort`]: 70_000,
    },
  ],
  ['/core/pods/kept/gated', { '/spec/dnsPolicy': 'Other', '/spec/terminationGracePeriodSeconds': -5 }],
  ['/core/podtemplates/kept/template', { '/template/spec/containers/0/image': '' }],
  ['/core/replicationcontrollers/kept/old', { '/spec/replicas': -1, [`${template}/name`]: '' }],
  ['/core/services/kept/web', { '/spec/sessionAffinity': 'Sometimes', '/spec/ports/0/name': 'A_B' }],
  ['/core/endpoints/kept/manual', { '/subsets/0/addresses/0/ip': 'nowhere' }],
  ['/core/configmaps/kept/applied', { '/data': { 'a key': 'x' } }],
  ['/core/configmaps/kept/fixed', { '/data': { 'a key': 'x' } }],
  ['/core/secrets/kept/registry', { '/data': {} }],
  ['/core/serviceaccounts/kept/robot', { '/metadata/labels': { '-': '-' } }],
  ['/core/limitranges/kept/limits', { '/spec/limits/0/type': '', '/spec/limits/1/max/cpu': '1m' }],
  ['/core/resourcequotas/kept/quota', { '/spec/hard/pods': '-1' }],
  ['/core/resourcequotas/kept/scoped', { '/spec/scopeSelector/matchExpressions/0/operator': 'Maybe' }],
  ['/core/nodes//machine', { '/spec/taints/0/effect': 'Sometimes' }],
  ['/core/persistentvolumes//disk-1', { '/spec/accessModes': [], '/spec/capacity': {} }],
  ['/core/persistentvolumeclaims/kept/disk', { '/spec/accessModes': ['Sometimes'] }],
  ['/core/namespaces//kept', { '/metadata/labels': { '-': '-' } }],
  ['/apps/deployments/kept/web', { '/spec/strategy/type': 'Other', '/spec/selector': {} }],
  [
    '/apps/statefulsets/kept/db',
    { '/spec/podManagementPolicy': 'Other', [`${template}/imagePullPolicy`]: 'Maybe' },
  ],
  ['/apps/daemonsets/kept/agent', { '/spec/minReadySeconds': -1 }],
  ['/apps/replicasets/kept/web-1', { '/spec/replicas': -1 }],
  ['/apps/controllerrevisions/kept/db-1', { '/revision': -1 }],
  ['/batch/jobs/kept/once', { '/spec/parallelism': -1, '/spec/completionMode': 'Other' }],
  [
    '/batch/cronjobs/kept/often',
    { '/spec/schedule': 'TZ=UTC now and then', '/spec/concurrencyPolicy': 'Other' },
  ],
  [
    '/autoscaling/horizontalpodautoscalers/kept/scaler',
    { '/spec/maxReplicas': 1, '/spec/behavior/scaleDown/policies': [] },
  ],
  ['/networking.cluster.io/ingresses/kept/front', { '/spec/rules/0/http/paths/0/path': 'a' }],
  ['/networking.cluster.io/ingressclasses//nginx', { '/spec/controller': '/' }],
  ['/networking.cluster.io/networkpolicies/kept/walls', { '/spec/ingress/0/from/0/ipBlock/cidr': 'all' }],
  ['/policy/poddisruptionbudgets/kept/budget', { '/spec/minAvailable': 1, '/spec/maxUnavailable': '-3%' }],
  ['/rbac.authorization.cluster.io/roles/kept/reader', { '/rules/0/verbs': [] }],
  ['/rbac.authorization.cluster.io/rolebindings/kept/readers', { '/subjects/0/kind': 'Other' }],
  ['/rbac.authorization.cluster.io/clusterroles//paths', { '/rules/0/verbs': [] }],
  ['/rbac.authorization.cluster.io/clusterrolebindings//paths', { '/subjects/0/name': '' }],
  [
    '/scheduling.cluster.io/priorityclasses//important',
    { '/value': 2_000_000_000, '/preemptionPolicy': 'Sometimes' },
  ],
  ['/storage.cluster.io/storageclasses//fast', { '/reclaimPolicy': 'Sometimes', '/provisioner': '' }],
  ['/storage.cluster.io/csidrivers//csi.example.com', { '/spec/volumeLifecycleModes': ['Sometimes'] }],
  ['/storage.cluster.io/csinodes//machine', { '/spec/drivers/0/nodeID': '' }],
  ['/storage.cluster.io/volumeattachments//attached', { '/spec/attacher': '' }],
  ['/storage.cluster.io/csistoragecapacities/kept/room', { '/capacity': '-1' }],
  ['/coordination.cluster.io/leases/kept/leader', { '/spec/leaseDurationSeconds': 0 }],
  ['/discovery.cluster.io/endpointslices/kept/manual-1', { '/endpoints/0/addresses': ['nowhere'] }],
  ['/node.cluster.io/runtimeclasses//sandbox', { '/handler': 'A_B' }],
  [
    '/flowcontrol.apiserver.cluster.io/prioritylevelconfigurations//slow',
    { '/spec/limited/nominalConcurrencyShares': -1 },
  ],
  ['/flowcontrol.apiserver.cluster.io/flowschemas//slow', { '/spec/matchingPrecedence': -1 }],
  ['/apiregistration.cluster.io/apiservices//v1.extended.example.com', { '/spec/groupPriorityMinimum': 0 }],
  [
    '/admissionregistration.cluster.io/validatingwebhookconfigurations//judge',
    { '/webhooks/0/timeoutSeconds': 100, '/webhooks/0/sideEffects': 'Maybe' },
  ],
  [
    '/admissionregistration.cluster.io/mutatingwebhookconfigurations//change',
    { '/webhooks/0/clientConfig/url': 'https://' },
  ],
  ['/certificates.cluster.io/certificatesigningrequests//asked', { '/spec/usages': [] }],
  [
    '/apiextensions.cluster.io/customresourcedefinitions//planets.kept.example.com',
    {
      '/spec/versions/0/schema/openAPIV3Schema/properties/moons/items': {},
      '/metadata/annotations': { '-': 'x' },
    },
  ],
];

/** Flags of the second server, under which the objects could not have been made either. */
const stricterFlags = {
  'enable-admission-plugins':
    'SecurityContextDeny,LimitPodHardAntiAffinityTopology,PodTolerationRestriction,AlwaysPullImages,NamespaceExists,PodNodeSelector,OwnerReferencesPermissionEnforcement,DenyServiceExternalIPs',
  'service-cluster-ip-range': 'fd00:7::/112',
  'service-node-port-range': '40000-40100',
};

const mergePatch = 'application/merge-patch+json';
const resources = new AsyncDisposableStack();
let server: ConformanceServer;

before(async () => {
  const started = await startConformanceServer(async options => {
    await unpackConverted(options.dataDirectory);
    const records = new Map(
      (await readStore(options.dataDirectory)).map(({ key, value }) => [String(key), { key, value }]),
    );
    const changed = broken.map(([key, values]) => {
      const record = records.get(key);
      assert.ok(record, key);
      return { key: record.key, value: encodeStored(brokenObject(decodeStored(record.value, 0), values)) };
    });
    await replaceRecords(options.dataDirectory, [
      ...changed,
      { key: storageKeyFrom(large), value: encodeStored(largeMap()) },
    ]);
    return await startStandaloneHere({ ...options, flags: { ...options.flags, ...stricterFlags } });
  });
  server = resources.use(started);
});
after(() => resources.disposeAsync());

const large = '/core/configmaps/kept/large';

/** An object of more values than objects may have now. */
function largeMap(): ApiObject {
  const metadata = {
    name: 'large',
    namespace: 'kept',
    uid: '00000000-0000-4000-8000-00000000000f',
    finalizers: ['example.com/hold'],
  };
  const data = Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`k${i}`, '']));
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
}

function brokenObject(object: ApiObject, values: Readonly<Record<string, JsonValue>>): ApiObject {
  object.metadata.finalizers = ['example.com/hold'];
  for (const [path, value] of Object.entries(values)) {
    const names = path.slice(1).split('/');
    const last = names.pop() ?? '';
    let at = object as JsonObject;
    for (const name of names) {
      at[name] ??= {};
      at = at[name] as JsonObject; // Lists are objects with numbers for names.
    }
    at[last] = value;
  }
  return object;
}

const versions: Readonly<Record<string, string>> = {
  autoscaling: 'v2',
  'flowcontrol.apiserver.cluster.io': 'v1beta3',
};

/** Where a sample is served, from its key. */
function pathFromKey(key: string): string {
  const [, group = '', resource = '', namespace = '', name = ''] = key.split('/');
  const root = group === 'core' ? '/api/v1' : `/apis/${group}/${versions[group] ?? 'v1'}`;
  return `${root}${namespace === '' ? '' : `/namespaces/${namespace}`}/${resource}/${name}`;
}

async function patch(path: string, body: unknown, contentType = mergePatch): Promise<void> {
  const { code, text } = await server.request('PATCH', path, { body, contentType });
  assert.equal(code, 200, text);
}

/** An empty value, and an absent one, are both undefined. */
function withoutEmpty(value: unknown): unknown {
  return Object.keys(Object(value)).length === 0 && typeof value !== 'number' ? undefined : value;
}

async function objectAt(path: string): Promise<ApiObject> {
  const { body } = await server.expect(200, 'GET', path);
  return body as ApiObject; // The tests look at these parts.
}

async function metadataCanChange(path: string): Promise<void> {
  await patch(path, { metadata: { labels: { merged: 'yes' } } });
  await patch(
    path,
    { metadata: { annotations: { patched: 'yes' } } },
    'application/strategic-merge-patch+json',
  );
  const { apiVersion, kind, metadata } = await objectAt(path);
  // An object that is being deleted can lose finalizers alone.
  const isGoing = metadata.deletionTimestamp !== undefined;
  const added = { op: 'add', path: '/metadata/finalizers/-', value: 'example.com/more' };
  await patch(path, isGoing ? [] : [added], 'application/json-patch+json');
  const configuration = { apiVersion, kind, metadata: { name: metadata.name, labels: { applied: 'yes' } } };
  await patch(`${path}?fieldManager=tests`, configuration, 'application/apply-patch+yaml');
  await until(`${path} is replaced`, async () => {
    const object = await objectAt(path);
    object.metadata.labels = { ...object.metadata.labels, put: 'yes' };
    const { code, text } = await server.request('PUT', path, { body: object });
    assert.ok(code === 200 || code === 409, text);
    return code === 200;
  });
}

suite('an object that violates rules of a later release', () => {
  for (const [key, values] of broken) {
    const path = pathFromKey(key);
    test(`${key}: metadata and status can be changed, and the violation is kept`, async () => {
      const before = await objectAt(path);
      await metadataCanChange(path);
      const status = await server.request('PATCH', `${path}/status`, {
        body: { metadata: { labels: { status: 'yes' } } },
        contentType: mergePatch,
      });
      assert.ok(status.code === 200 || status.code === 404, status.text);
      const after = await objectAt(path);
      for (const at of Object.keys(values)) {
        if (at.startsWith('/metadata')) continue;
        const read = (object: ApiObject) =>
          at
            .slice(1)
            .split('/')
            .reduce<unknown>((value, name) => (value as JsonObject)[name], object);
        assert.deepEqual(withoutEmpty(read(after)), withoutEmpty(read(before)), at);
      }
    });
  }

  test('with too many values keeps their number, and gets no more', async () => {
    const path = pathFromKey(large);
    await metadataCanChange(path);
    const object = await objectAt(path);
    assert.equal(Object.keys(object['data'] ?? {}).length, 30_000);
    const data = { ...(object['data'] as JsonObject), one: '', more: '' };
    for (const [method, body, contentType] of [
      ['PATCH', { data: { one: '', more: '' } }, mergePatch],
      ['PUT', { ...object, data }, 'application/json'],
    ] as const) {
      const { metadata: _, ...answer } = (await server.request(method, path, { body, contentType })).body;
      assert.equal(answer['code'], 413, JSON.stringify(answer).slice(0, 500));
    }
    await server.expect(200, 'DELETE', path);
    await patch(path, { metadata: { finalizers: null } });
    await server.expect(404, 'GET', path);
  });

  test('is refused a new violation', async () => {
    const changed = await server.request('PATCH', pathFromKey('/core/configmaps/kept/applied'), {
      body: { data: { 'another key': 'x' } },
      contentType: mergePatch,
    });
    assert.equal(changed.code, 422, changed.text);
    const label = { metadata: { labels: { '+': 'x' } } };
    const labelled = await server.request('PATCH', pathFromKey('/core/serviceaccounts/kept/robot'), {
      body: label,
      contentType: mergePatch,
    });
    assert.equal(labelled.code, 422, labelled.text);
  });

  for (const [key] of broken.toSorted(
    ([a], [b]) => Number(a.includes('namespaces')) - Number(b.includes('namespaces')),
  )) {
    const path = pathFromKey(key);
    test(`${key}: can be deleted`, async () => {
      const deleted = await server.request('DELETE', `${path}?gracePeriodSeconds=0`);
      assert.ok(deleted.code === 200 || deleted.code === 202, deleted.text);
      await patch(path, { metadata: { finalizers: ['example.com/hold'] } });
      const freed = await server.request('PATCH', path, {
        body: { metadata: { finalizers: null } },
        contentType: mergePatch,
      });
      assert.equal(freed.code, 200, freed.text);
    });
  }

  test('can be deleted with its namespace', async () => {
    for (const path of [
      '/api/v1/namespaces/kept/configmaps/settings',
      '/apis/kept.example.com/v1/namespaces/kept/widgets/full',
    ])
      await server.request('PATCH', path, {
        body: { metadata: { finalizers: null } },
        contentType: mergePatch,
      });
    for (const [key] of broken)
      await until(`${key} is gone`, async () => (await server.request('GET', pathFromKey(key))).code === 404);
  });
});
