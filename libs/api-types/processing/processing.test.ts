import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import type { ApiObject } from '@binnacle/api-objects';
import { applyDefaults, prepareForCreate, prepareForUpdate, validateObjectUpdate } from '../index.ts';
import { create, createObject, findDefinition, update } from '../test-drivers/process.ts';

const pod = { spec: { containers: [{ name: 'c', image: 'busybox' }] } };

function stored(plural: string, content: Record<string, unknown>): ApiObject {
  const { object, findings } = create(plural, content);
  assert.deepEqual(findings, []);
  object.metadata.uid = 'u-1';
  object.metadata.creationTimestamp = '2024-01-01T00:00:00Z';
  object.metadata.resourceVersion = '7';
  return object;
}

describe('defaults', () => {
  it('are idempotent for every kind', () => {
    const definition = findDefinition('pods');
    const once = create('pods', pod).object;
    const twice = structuredClone(once);
    applyDefaults(definition, twice);
    assert.deepEqual(twice, once);
  });

  it('are applied only inside parents that exist or are always present', () => {
    const { object } = create('pods', pod);
    const [container] = (object['spec'] as { containers: Record<string, unknown>[] }).containers;
    assert.equal(container?.['livenessProbe'], undefined);
    assert.deepEqual(container?.['resources'], {});
    const probed = create('pods', {
      spec: { containers: [{ name: 'c', image: 'b', livenessProbe: { httpGet: { port: 80 } } }] },
    }).object;
    const [withProbe] = (probed['spec'] as { containers: Record<string, unknown>[] }).containers;
    assert.deepEqual(withProbe?.['livenessProbe'], {
      httpGet: { path: '/', port: 80, scheme: 'HTTP' },
      timeoutSeconds: 1,
      periodSeconds: 10,
      successThreshold: 1,
      failureThreshold: 3,
    });
  });

  it('replace zero values unless the field has presence', () => {
    const { object } = create('pods', {
      spec: { terminationGracePeriodSeconds: 0, schedulerName: '', containers: [{ name: 'c', image: 'b' }] },
    });
    const spec = object['spec'] as Record<string, unknown>;
    assert.equal(spec['terminationGracePeriodSeconds'], 0);
    assert.equal(spec['schedulerName'], 'default-scheduler');
  });

  it('are applied after empty fields are dropped, except those with presence or a fixed position', () => {
    const { object } = create('pods', {
      metadata: { labels: {}, generateName: '' },
      spec: {
        hostNetwork: false,
        automountServiceAccountToken: false,
        nodeSelector: {},
        affinity: {},
        volumes: [{ name: 'v', hostPath: { path: '/', type: '' } }],
        containers: [{ name: 'c', image: 'b', args: [], env: [{ name: 'a', value: '' }], stdin: false }],
      },
    });
    const spec = object['spec'] as Record<string, unknown>;
    assert.deepEqual(object.metadata, { name: 'a', namespace: 't' });
    assert.deepEqual(
      ['hostNetwork', 'nodeSelector', 'automountServiceAccountToken', 'affinity'].filter(
        field => field in spec,
      ),
      ['automountServiceAccountToken', 'affinity'],
    );
    assert.deepEqual(spec['volumes'], [{ name: 'v', hostPath: { path: '/', type: '' } }]);
    const [container] = spec['containers'] as Record<string, unknown>[];
    assert.deepEqual(container?.['env'], [{ name: 'a' }]);
    assert.equal(
      ['args', 'stdin'].some(field => field in (container ?? {})),
      false,
    );
    assert.deepEqual(create('configmaps', { data: { a: '' } }).object['data'], { a: '' });
    assert.equal('webhooks' in create('validatingwebhookconfigurations', { webhooks: [] }).object, false);
  });

  it('include the empty values of fields that are always present', () => {
    const { object } = create('endpoints', {
      subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }],
    });
    assert.deepEqual(object['subsets'], [
      { addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80, protocol: 'TCP' }] },
    ]);
    const replicas = create('replicationcontrollers', { spec: { template: { spec: pod.spec } } }).object;
    const { template } = replicas['spec'] as { template: { metadata: unknown } };
    assert.deepEqual(template.metadata, { creationTimestamp: null });
    const status = { conditions: [{ type: 'A', status: 'True' }] };
    const services = stored('services', { spec: { ports: [{ port: 80 }] } });
    const conditioned = update('services', { status }, { old: services, subresource: 'status' }).object;
    assert.deepEqual((conditioned['status'] as typeof status).conditions, [
      { type: 'A', status: 'True', lastTransitionTime: null, reason: '', message: '' },
    ]);
  });

  it('are not shared between objects', () => {
    const first = create('pods', pod).object['spec'] as Record<string, Record<string, unknown>>;
    first['securityContext']!['runAsUser'] = 1;
    const second = create('pods', pod).object['spec'] as Record<string, unknown>;
    assert.deepEqual(second['securityContext'], {});
  });
});

describe('preparing a creation', () => {
  it('drops fields that only the server sets', () => {
    const { object } = create('configmaps', {
      metadata: {
        uid: 'x',
        creationTimestamp: '2020-01-01T00:00:00Z',
        deletionTimestamp: '2020-01-01T00:00:00Z',
        deletionGracePeriodSeconds: 3,
        selfLink: '/x',
        generation: 5,
      },
    });
    // Kinds whose generation the server does not manage store the sent value.
    assert.deepEqual(object.metadata, { name: 'a', namespace: 't', generation: 5 });
  });

  it('starts generation at 1 for kinds that have it', () => {
    const { object } = create('validatingwebhookconfigurations', { metadata: { generation: 9 } });
    assert.equal(object.metadata.generation, 1);
  });

  it('drops the status of kinds with a status subresource', () => {
    assert.deepEqual(
      create('pods', { ...pod, status: { phase: 'Running', podIP: '1.2.3.4' } }).object['status'],
      {
        phase: 'Pending',
        qosClass: 'BestEffort',
      },
    );
    assert.deepEqual(create('namespaces', { status: { phase: 'Terminating' } }).object['status'], {
      phase: 'Active',
    });
  });

  it('gives every kind with a status the same one as from an empty object', () => {
    const definition = findDefinition('services');
    const object = createObject('services', { spec: { clusterIP: 'None' }, status: { conditions: [] } });
    prepareForCreate(definition, object);
    assert.deepEqual(object['status'], { loadBalancer: {} });
  });
});

test('reports only the first of very many errors', () => {
  const wrong = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i} `, '']));
  const contents = (members: Record<string, string>) => [
    { data: members },
    { metadata: { labels: members } },
  ];
  // More errors than the maximum number of call arguments.
  for (const content of contents(wrong(150_000)))
    assert.equal(create('configmaps', content).findings.length, 1000);
  const old = stored('configmaps', {});
  for (const content of contents(wrong(1500)))
    assert.equal(update('configmaps', content, { old }).findings.length, 1000);
});

describe('preparing an update', () => {
  it('restores the metadata that only the server sets', () => {
    const old = stored('configmaps', { data: { a: '1' } });
    const { object, findings } = update(
      'configmaps',
      {
        metadata: {
          uid: 'other',
          creationTimestamp: null,
          deletionTimestamp: '2024-02-02T00:00:00Z',
          generation: 4,
        },
      },
      { old },
    );
    assert.deepEqual(findings, []);
    assert.equal(object.metadata.uid, 'u-1');
    assert.equal(object.metadata.creationTimestamp, '2024-01-01T00:00:00Z');
    assert.equal(object.metadata.deletionTimestamp, undefined);
    assert.equal(object.metadata.generation, undefined);
  });

  it('keeps the status in a write to the resource, and everything else in a write to status', () => {
    const old = stored('pods', pod);
    const main = update('pods', { ...pod, status: { phase: 'Failed' } }, { old }).object;
    assert.deepEqual(main['status'], old['status']);
    const status = update(
      'pods',
      { metadata: { labels: { l: 'v' } }, spec: { containers: [] }, status: { phase: 'Running' } },
      { old, subresource: 'status' },
    );
    assert.deepEqual(status.findings, []);
    assert.deepEqual(status.object['spec'], old['spec']);
    assert.deepEqual(status.object['status'], { phase: 'Running' });
    assert.deepEqual(status.object.metadata.labels, { l: 'v' });
  });

  it('neither changes the stored object nor shares anything with it', () => {
    const old = stored('pods', pod);
    const before = structuredClone(old);
    const { object } = update('pods', { status: { phase: 'Running' } }, { old, subresource: 'status' });
    (object['spec'] as Record<string, unknown>)['nodeName'] = 'n';
    assert.deepEqual(old, before);
  });

  it('increases the generation only when the specification changes', () => {
    const webhook = {
      name: 'a.b.c',
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      clientConfig: { url: 'https://h/' },
    };
    const old = stored('validatingwebhookconfigurations', { webhooks: [webhook] });
    const same = update(
      'validatingwebhookconfigurations',
      { metadata: { labels: { a: 'b' } }, webhooks: [webhook] },
      { old },
    );
    assert.equal(same.object.metadata.generation, 1);
    const changed = update(
      'validatingwebhookconfigurations',
      { metadata: { resourceVersion: '1' }, webhooks: [{ ...webhook, timeoutSeconds: 3 }] },
      { old },
    );
    assert.deepEqual(changed.findings, []);
    assert.equal(changed.object.metadata.generation, 2);
  });
});

describe('validating an update', () => {
  it('validates the resource itself without a subresource', () => {
    const definition = findDefinition('configmaps');
    const old = stored('configmaps', {});
    const object = structuredClone(old);
    prepareForUpdate(definition, object, old);
    assert.deepEqual(validateObjectUpdate(definition, object, old), []);
  });

  it('requires a resourceVersion for kinds with conditional updates only', () => {
    const old = stored('leases', {});
    assert.deepEqual(update('leases', {}, { old }).findings, ['Invalid metadata.resourceVersion']);
    assert.deepEqual(update('leases', { metadata: { resourceVersion: '7' } }, { old }).findings, []);
  });

  it('refuses another value of an immutable field', () => {
    const old = stored('secrets', { type: 'x' });
    assert.deepEqual(update('secrets', { type: 'y' }, { old }).findings, ['Invalid type']);
  });
});
