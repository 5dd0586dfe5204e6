import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { vocabulary } from '@binnacle/api-names';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { type AdminServer, at } from './admin-server.ts';
import { until } from './api-server.ts';
import { listEntries, listManagers } from './apply-as-manager.ts';
import { createDefinition, definitionsPath } from './custom-widget.ts';

/** A server on which objects are written through either name of their group. */
type NamedServer = Pick<AdminServer, 'expect' | 'namespace'>;

/** Domains of groups and of labels in one vocabulary. */
interface Names {
  readonly group: string;
  readonly label: string;
}

const aliases: readonly Names[] = [
  { group: 'cluster.io', label: 'cluster.io' },
  { group: 'k8s.io', label: 'kubernetes.io' },
];

/** An object that names others, by the path of its kind; `{ns}` stands for a namespace of its own. */
type Written = (names: Names) => readonly [path: string, object: JsonObject];

const rbac = ({ group }: Names) => `rbac.authorization.${group}`;
const createRules = ({ group }: Names) => [
  {
    apiGroups: ['', `networking.${group}`, 'apps'],
    resources: ['ingresses', 'pods'],
    verbs: ['get', 'list'],
  },
  { apiGroups: [`coordination.${group}`], resources: ['leases'], verbs: ['*'] },
];
const createWebhook = ({ group, label }: Names) => ({
  name: 'a.example.com',
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  failurePolicy: 'Ignore',
  clientConfig: { url: 'https://hooks.example.com/' },
  namespaceSelector: { matchExpressions: [{ key: `${label}/metadata.name`, operator: 'In', values: ['x'] }] },
  rules: [
    { apiGroups: [`networking.${group}`], apiVersions: ['v1'], resources: ['ingresses'], operations: ['*'] },
  ],
});

const written: Readonly<Record<string, Written>> = {
  'a role': names => [
    `/apis/${rbac(names)}/v1/namespaces/{ns}/roles`,
    { apiVersion: `${rbac(names)}/v1`, kind: 'Role', metadata: { name: 'x' }, rules: createRules(names) },
  ],
  'an aggregated role': names => [
    `/apis/${rbac(names)}/v1/clusterroles`,
    {
      apiVersion: `${rbac(names)}/v1`,
      kind: 'ClusterRole',
      metadata: { name: '{ns}', labels: { [`${rbac(names)}/aggregate-to-nothing`]: 'true' } },
      rules: createRules(names),
    },
  ],
  'a binding': names => [
    `/apis/${rbac(names)}/v1/namespaces/{ns}/rolebindings`,
    {
      apiVersion: `${rbac(names)}/v1`,
      kind: 'RoleBinding',
      metadata: { name: 'x' },
      roleRef: { apiGroup: rbac(names), kind: 'Role', name: 'x' },
      subjects: [
        { apiGroup: rbac(names), kind: 'User', name: 'alice' },
        { kind: 'ServiceAccount', name: 'default', namespace: 'default' },
      ],
    },
  ],
  'a mutating webhook': names => [
    `/apis/admissionregistration.${names.group}/v1/mutatingwebhookconfigurations`,
    {
      apiVersion: `admissionregistration.${names.group}/v1`,
      kind: 'MutatingWebhookConfiguration',
      metadata: { name: '{ns}' },
      webhooks: [createWebhook(names)],
    },
  ],
  'a validating webhook': names => [
    `/apis/admissionregistration.${names.group}/v1/validatingwebhookconfigurations`,
    {
      apiVersion: `admissionregistration.${names.group}/v1`,
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: '{ns}' },
      webhooks: [createWebhook(names)],
    },
  ],
  'an ingress': ({ group, label }) => [
    `/apis/networking.${group}/v1/namespaces/{ns}/ingresses`,
    {
      apiVersion: `networking.${group}/v1`,
      kind: 'Ingress',
      metadata: { name: 'x', annotations: { [`${label}/ingress.class`]: 'a' } },
      spec: {
        defaultBackend: { resource: { apiGroup: `storage.${group}`, kind: 'StorageClass', name: 'a' } },
      },
    },
  ],
  'a network policy': ({ group, label }) => [
    `/apis/networking.${group}/v1/namespaces/{ns}/networkpolicies`,
    {
      apiVersion: `networking.${group}/v1`,
      kind: 'NetworkPolicy',
      metadata: { name: 'x' },
      spec: {
        podSelector: {},
        ingress: [{ from: [{ namespaceSelector: { matchLabels: { [`${label}/metadata.name`]: 'x' } } }] }],
      },
    },
  ],
  'an object with owners': ({ group, label }) => [
    '/api/v1/namespaces/{ns}/configmaps',
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'x',
        labels: { [`app.${label}/name`]: 'a', [`topology.${label}/zone`]: 'a' },
        annotations: { [`${label}/description`]: 'a' },
        finalizers: [`${label}/pvc-protection`],
        ownerReferences: [
          {
            apiVersion: `networking.${group}/v1`,
            kind: 'IngressClass',
            name: '{ns}',
            uid: '{owner}',
            controller: true,
          },
        ],
      },
    },
  ],
  'an event': ({ group }) => [
    '/api/v1/namespaces/{ns}/events',
    {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'x' },
      involvedObject: { apiVersion: `networking.${group}/v1`, kind: 'Ingress', name: 'a', namespace: '{ns}' },
      related: { apiVersion: `node.${group}/v1`, kind: 'RuntimeClass', name: 'a' },
      reason: 'Because',
    },
  ],
  'an autoscaler': ({ group }) => [
    '/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers',
    {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'x' },
      spec: {
        maxReplicas: 3,
        scaleTargetRef: { apiVersion: `networking.${group}/v1`, kind: 'Ingress', name: 'a' },
        metrics: [
          {
            type: 'Object',
            object: {
              describedObject: { apiVersion: `networking.${group}/v1`, kind: 'Ingress', name: 'a' },
              metric: { name: 'm' },
              target: { type: 'Value', value: '1' },
            },
          },
        ],
      },
    },
  ],
  'a claim': ({ group, label }) => [
    '/api/v1/namespaces/{ns}/persistentvolumeclaims',
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'x', annotations: { [`volume.beta.${label}/storage-class`]: 'a' } },
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1' } },
        dataSource: { apiGroup: `snapshot.storage.${group}`, kind: 'VolumeSnapshot', name: 'a' },
      },
    },
  ],
  'a secret': ({ label }) => [
    '/api/v1/namespaces/{ns}/secrets',
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'x' },
      type: `${label}/basic-auth`,
      data: { username: 'YQ==' },
    },
  ],
  'a quota': ({ group }) => [
    '/api/v1/namespaces/{ns}/resourcequotas',
    {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'x' },
      spec: {
        hard: {
          [`count/ingresses.networking.${group}`]: '9',
          [`gold.storageclass.storage.${group}/persistentvolumeclaims`]: '9',
        },
      },
    },
  ],
  'a flow schema': ({ group }) => [
    `/apis/flowcontrol.apiserver.${group}/v1beta3/flowschemas`,
    {
      apiVersion: `flowcontrol.apiserver.${group}/v1beta3`,
      kind: 'FlowSchema',
      metadata: { name: '{ns}' },
      spec: {
        priorityLevelConfiguration: { name: 'global-default' },
        matchingPrecedence: 9000,
        rules: [
          {
            subjects: [{ kind: 'User', user: { name: 'nobody' } }],
            resourceRules: [
              {
                verbs: ['get'],
                apiGroups: [`networking.${group}`],
                resources: ['ingresses'],
                clusterScope: true,
              },
            ],
          },
        ],
      },
    },
  ],
  'a pod': ({ label }) => [
    '/api/v1/namespaces/{ns}/pods',
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'x' },
      spec: {
        nodeSelector: { [`${label}/os`]: 'linux' },
        tolerations: ['not-ready', 'unreachable'].map(condition => ({
          key: `node.${label}/${condition}`,
          operator: 'Exists',
          effect: 'NoExecute',
          tolerationSeconds: 30,
        })),
        topologySpreadConstraints: [
          { maxSkew: 1, topologyKey: `topology.${label}/zone`, whenUnsatisfiable: 'ScheduleAnyway' },
        ],
        containers: [{ name: 'a', image: 'a' }],
      },
    },
  ],
};

/** Names that clients write within objects come back as they were written, in either vocabulary. */
export function registerNamesAsWritten(name: string, server: () => NamedServer): void {
  const isSkipped = vocabulary !== 'cluster' && 'there is one vocabulary';
  suite(`${name}: names are returned as written`, { skip: isSkipped }, () => {
    const newNamespace = async () => (await server().namespace()).split('/').at(-1) ?? '';
    const ownerNamed = async (name: string, { group }: (typeof aliases)[number]) => {
      const apiVersion = `networking.${group}/v1`;
      const body = {
        apiVersion,
        kind: 'IngressClass',
        metadata: { name },
        spec: { controller: 'example.com/a' },
      };
      return String(
        at(
          await server().expect(201, 'POST', `/apis/${apiVersion}/ingressclasses`, { body }),
          'metadata',
          'uid',
        ),
      );
    };

    /** The object once the server has written what it writes soon after a creation. */
    const settled = async (path: string): Promise<JsonObject> => {
      let read = await server().expect(200, 'GET', path);
      if (read['kind'] === 'FlowSchema')
        await until('the flow schema has its condition', async () => {
          read = await server().expect(200, 'GET', path);
          return at(read, 'status', 'conditions') !== undefined;
        });
      return read;
    };

    for (const names of aliases)
      for (const [what, write] of Object.entries(written))
        test(`${what} with names of ${names.group}`, async () => {
          const namespace = await newNamespace();
          const template = JSON.stringify(write(names));
          // Without an owner that exists, the collector deletes the object.
          const owner = template.includes('{owner}') ? await ownerNamed(namespace, names) : '';
          const text = template.replaceAll('{ns}', namespace).replaceAll('{owner}', owner);
          const [path, sent] = JSON.parse(text) as [string, JsonObject]; // as it was made
          const created = await server().expect(201, 'POST', path, { body: sent });
          assertHas(created, sent);
          const own = `${path}/${at(created, 'metadata', 'name')}`;
          const read = await settled(own);
          assertHas(read, sent);
          if (sent['kind'] !== 'FlowSchema') assert.deepEqual(read, created);
          assert.deepEqual(await server().expect(200, 'PUT', own, { body: read }), read);
          const apply = () =>
            server().expect(200, 'PATCH', `${own}?fieldManager=m&force=true`, {
              body: sent,
              contentType: 'application/apply-patch+yaml',
            });
          const applied = await apply();
          assertHas(applied, sent);
          assert.deepEqual(await apply(), applied);
          const versions = listEntries(applied).map(({ apiVersion = '', subresource }) =>
            subresource === 'status' ? sent['apiVersion'] : apiVersion,
          );
          assert.deepEqual([...new Set(versions)], [sent['apiVersion']]);
        });

    test('managers in both names of a group share an object, and their entries are kept', async () => {
      const namespace = await newNamespace();
      const [ours, theirs] = aliases.map(({ group }) => `networking.${group}/v1`) as [string, string]; // there are two
      const path = (apiVersion: string) => `/apis/${apiVersion}/namespaces/${namespace}/ingresses/x`;
      const ingress = (apiVersion: string, spec: JsonObject): JsonObject => ({
        ...{ apiVersion, kind: 'Ingress', metadata: { name: 'x' } },
        spec: { defaultBackend: { service: { name: 'a', port: { number: 1 } } }, ...spec },
      });
      const apply = (code: number, manager: string, [apiVersion, spec]: [string, JsonObject]) =>
        server().expect(code, 'PATCH', `${path(apiVersion)}?fieldManager=${manager}`, {
          body: ingress(apiVersion, spec),
          contentType: 'application/apply-patch+yaml',
        });
      await apply(201, 'a', [theirs, { ingressClassName: 'a', tls: [{ hosts: ['h'] }] }]);
      const both = await apply(200, 'b', [ours, { ingressClassName: 'a' }]);
      assert.deepEqual(managersIn(both), [`a ${theirs}`, `b ${ours}`]);
      assert.deepEqual(
        await apply(200, 'a', [ours, { ingressClassName: 'a', tls: [{ hosts: ['h'] }] }]),
        both,
      );
      await apply(409, 'b', [theirs, { ingressClassName: 'b' }]);
      // A field that one of them leaves out stays while the other has it, and goes with the last one.
      const left = await apply(200, 'a', [theirs, {}]);
      assert.equal(at(left, 'spec', 'ingressClassName'), 'a');
      assert.equal(at(left, 'spec', 'tls'), undefined);
      assert.equal(at(await apply(200, 'b', [theirs, {}]), 'spec', 'ingressClassName'), undefined);
      const update = ingress(ours, { ingressClassName: 'c' });
      const updated = await server().expect(200, 'PUT', `${path(ours)}?fieldManager=c`, { body: update });
      assert.deepEqual(managersIn(updated), [`a ${theirs}`, `b ${theirs}`, `c ${ours}`]);
      const sent = await server().expect(200, 'PUT', path(ours), { body: updated });
      assert.deepEqual(sent, updated);
    });

    test('a write of the scale through an alias is recorded with it, and other entries are kept', async () => {
      const namespace = await newNamespace();
      const group = `${namespace}.cluster.io`;
      const integer = { type: 'integer' };
      const part = { type: 'object', properties: { replicas: integer, other: integer } };
      const schema = { type: 'object', properties: { spec: part, status: part } };
      const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
      const annotations = { 'api-approved.cluster.io': 'https://example.com/1' };
      const definition = createDefinition('crews', 'Crew', schema, {
        group,
        version: { subresources: { scale } },
      });
      const approved = { ...definition, metadata: { ...definition.metadata, annotations } };
      const body: JsonObject = JSON.parse(JSON.stringify(approved));
      await server().expect(201, 'POST', definitionsPath, { body });
      const apiVersion = `${namespace}.k8s.io/v1`;
      const crews = `/apis/${apiVersion}/namespaces/${namespace}/crews`;
      await until('the type is served', async () => {
        const served = server().expect(200, 'GET', crews);
        return await served.then(
          () => true,
          () => false,
        );
      });
      const crew = { apiVersion, kind: 'Crew', metadata: { name: 'x' }, spec: { replicas: 1, other: 1 } };
      await server().expect(201, 'POST', `${crews}?fieldManager=a`, { body: crew });
      const read = await server().expect(200, 'GET', `${crews}/x/scale`);
      const changed = { ...read, spec: { replicas: 2 } };
      await server().expect(200, 'PUT', `${crews}/x/scale?fieldManager=s`, { body: changed });
      assert.deepEqual(listManagers(await server().expect(200, 'GET', `${crews}/x`)), [
        `a Update ${apiVersion}: f:spec/. f:spec/f:other`,
        `s Update ${apiVersion} scale: f:spec/f:replicas`,
      ]);
    });
  });
}

function managersIn(object: JsonObject): string[] {
  return listEntries(object)
    .map(({ manager, apiVersion }) => `${manager} ${apiVersion}`)
    .sort();
}

/** Throws unless each value that was sent is in what came back, which may have more members. */
function assertHas(actual: JsonValue | undefined, sent: JsonValue, path = ''): void {
  if (Array.isArray(sent)) {
    assert.ok(Array.isArray(actual) && actual.length === sent.length, `${path}: ${JSON.stringify(actual)}`);
    for (const [index, item] of sent.entries()) assertHas(actual[index], item, `${path}[${index}]`);
  } else if (typeof sent === 'object' && sent !== null) {
    for (const [key, value] of Object.entries(sent))
      assertHas(at(actual, key), value ?? null, `${path}.${key}`);
  } else assert.equal(actual, sent, path);
}
