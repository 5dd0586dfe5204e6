import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { understood } from '@binnacle/api-names';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { type AdminServer, at, findings, startAdminServer } from './admin-server.ts';
import { objectAt, objectsAt } from './setup/json-parts.ts';

let server: AdminServer;
before(async () => {
  server = await startAdminServer();
});
after(() => server[Symbol.asyncDispose]());

const domains = understood.domains.labels;
const patches = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  json: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

describe('annotations of a pod with an effect on its node', () => {
  const pod = (name: string, annotations: JsonObject = {}, spec: JsonObject = {}): JsonObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, annotations },
    spec: { containers: [{ name: 'c', image: 'i:1' }], ...spec },
  });
  const pointer = (key: string) => `/metadata/annotations/${key.replaceAll('/', '~1')}`;

  /** Every way to write an annotation into a pod that is there, for each of its subresources. */
  function waysToWrite(current: JsonObject, key: string, value: string | null) {
    const annotations = { ...objectAt(current, 'metadata', 'annotations') };
    if (value === null) delete annotations[key];
    else annotations[key] = value;
    const metadata = { ...objectAt(current, 'metadata'), annotations };
    const operation = value === null ? { op: 'remove' } : { op: 'add', value };
    const partial = { metadata: { annotations: { [key]: value } } };
    const ways: [method: string, contentType: string, body: JsonValue][] = [
      ['PUT', 'application/json', { ...current, metadata }],
      ['PATCH', patches.merge, partial],
      ['PATCH', patches.strategic, partial],
      ['PATCH', patches.json, [{ ...operation, path: pointer(key) }]],
    ];
    return ways;
  }

  for (const domain of domains)
    for (const key of [`container.apparmor.security.beta.${domain}/c`, `${domain}/config.mirror`])
      test(`${key} cannot be changed by any write`, async () => {
        const pods = `${await server.namespace()}/pods`;
        const onNode = { nodeName: 'n' };
        const having = await server.expect(201, 'POST', pods, {
          body: pod('having', { other: 'a', [key]: 'unconfined' }, onNode),
        });
        const lacking = await server.expect(201, 'POST', pods, {
          body: pod('lacking', { other: 'a' }, onNode),
        });
        const refusal = ['Invalid', `FieldValueForbidden metadata.annotations[${key}]`];
        for (const [current, value] of [
          [lacking, 'unconfined'],
          [having, 'runtime/default'],
          [having, null],
        ] as const) {
          const path = `${pods}/${at(current, 'metadata', 'name')}`;
          for (const subresource of ['', '/status'])
            for (const [method, contentType, body] of waysToWrite(current, key, value)) {
              const answer = await server.send(method, `${path}${subresource}`, { body, contentType });
              const what = `${method} ${contentType} ${subresource} ${value}`;
              assert.deepEqual([answer.code, findings(answer.body)], [422, refusal], what);
            }
        }
        const applied = await server.send('PATCH', `${pods}/lacking?fieldManager=m`, {
          body: JSON.stringify({
            apiVersion: 'v1',
            kind: 'Pod',
            metadata: { annotations: { [key]: 'unconfined' } },
          }),
          contentType: patches.apply,
        });
        assert.deepEqual([applied.code, findings(applied.body)], [422, refusal]);
        const relabelled = await server.expect(200, 'PATCH', `${pods}/having`, {
          body: { metadata: { annotations: { other: 'b' }, labels: { a: 'b' } } },
          contentType: patches.merge,
        });
        assert.equal(at(relabelled, 'metadata', 'annotations', key), 'unconfined');
      });

  test('are not set by a binding', async () => {
    const pods = `${await server.namespace()}/pods`;
    await server.expect(201, 'POST', pods, { body: pod('p') });
    for (const domain of domains) {
      const key = `container.apparmor.security.beta.${domain}/c`;
      const body = {
        metadata: { name: 'p', annotations: { [key]: 'unconfined' } },
        target: { kind: 'Node', name: 'n' },
      };
      const refused = await server.expect(422, 'POST', `${pods}/p/binding`, { body });
      assert.deepEqual(findings(refused), ['Invalid', `FieldValueForbidden metadata.annotations[${key}]`]);
    }
    await server.expect(201, 'POST', `${pods}/p/binding`, {
      body: { metadata: { name: 'p', annotations: { by: 's' } }, target: { kind: 'Node', name: 'n' } },
    });
  });

  test('include that of mirror pods, which must have a node from their creation', async () => {
    const pods = `${await server.namespace()}/pods`;
    for (const domain of domains) {
      const key = `${domain}/config.mirror`;
      const refused = await server.expect(422, 'POST', pods, { body: pod('m', { [key]: 'm' }) });
      assert.deepEqual(findings(refused), ['Invalid', `FieldValueInvalid metadata.annotations[${key}]`]);
    }
  });

  test('include profiles, which pod security enforces under both names', async () => {
    const namespace = await server.namespace();
    await server.expect(200, 'PATCH', namespace, {
      body: { metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'baseline' } } },
      contentType: patches.merge,
    });
    for (const domain of domains) {
      const key = `container.apparmor.security.beta.${domain}/c`;
      await server.expect(403, 'POST', `${namespace}/pods`, { body: pod('p', { [key]: 'unconfined' }) });
      await server.expect(201, 'POST', `${namespace}/pods`, {
        body: pod(`good-${domain}`, { [key]: 'runtime/default' }),
      });
    }
  });
});

describe('ephemeral containers of a running pod', () => {
  test('are validated like other containers', async () => {
    const pods = `${await server.namespace()}/pods`;
    await server.expect(201, 'POST', pods, {
      body: { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i:1' }] } },
    });
    const debug = { name: 'd', image: 'i:1' };
    const e$ = 'spec.ephemeralContainers[0]';
    const cases: readonly [fields: JsonObject, cause: string][] = [
      [{ imagePullPolicy: 'Sometimes' }, `FieldValueNotSupported ${e$}.imagePullPolicy`],
      [{ terminationMessagePolicy: 'None' }, `FieldValueNotSupported ${e$}.terminationMessagePolicy`],
      [{ lifecycle: { preStop: { exec: { command: ['x'] } } } }, `FieldValueForbidden ${e$}.lifecycle`],
      [{ ports: [{ containerPort: 80 }] }, `FieldValueForbidden ${e$}.ports`],
      [{ resources: { limits: { cpu: '1' } } }, `FieldValueForbidden ${e$}.resources`],
      [
        { securityContext: { seccompProfile: { type: 'None' } } },
        `FieldValueNotSupported ${e$}.securityContext.seccompProfile.type`,
      ],
      [{ image: ' i' }, `FieldValueInvalid ${e$}.image`],
    ];
    for (const [fields, cause] of cases) {
      const refused = await server.expect(422, 'PATCH', `${pods}/p/ephemeralcontainers`, {
        body: { spec: { ephemeralContainers: [{ ...debug, ...fields }] } },
        contentType: patches.strategic,
      });
      assert.deepEqual(findings(refused), ['Invalid', cause]);
    }
    await server.expect(200, 'PATCH', `${pods}/p/ephemeralcontainers`, {
      body: { spec: { ephemeralContainers: [debug] } },
      contentType: patches.strategic,
    });
  });
});

describe('system priority classes', () => {
  const classes = '/apis/scheduling.cluster.io/v1/priorityclasses';

  test('cannot be deleted, alone or as a collection', async () => {
    await server.expect(201, 'POST', classes, { body: { metadata: { name: 'mine' }, value: 7 } });
    for (const name of ['system-node-critical', 'system-cluster-critical']) {
      const refused = await server.expect(403, 'DELETE', `${classes}/${name}`);
      assert.deepEqual([refused['reason'], at(refused, 'details', 'name')], ['Forbidden', name]);
      await server.expect(403, 'DELETE', `${classes}/${name}?dryRun=All`);
    }
    await server.expect(403, 'DELETE', classes);
    const { items } = await server.expect(200, 'GET', classes);
    assert.deepEqual(
      objectsAt(items)
        .map(item => at(item, 'metadata', 'name'))
        .sort(),
      ['mine', 'system-cluster-critical', 'system-node-critical'],
    );
    await server.expect(200, 'DELETE', `${classes}?fieldSelector=metadata.name=mine`);
    await server.expect(404, 'GET', `${classes}/mine`);
  });
});

describe('an autoscaler through version v1', () => {
  const metrics = (value: string) =>
    JSON.stringify([{ type: 'Pods', pods: { metricName: 'm', targetAverageValue: value } }]);
  const behavior = JSON.stringify({
    scaleDown: {
      stabilizationWindowSeconds: 60,
      policies: [{ type: 'Pods', value: 1, periodSeconds: 5 }],
    },
  });
  const path = (namespace: string, version: string) =>
    `${namespace.replace('/api/v1', `/apis/autoscaling/${version}`)}/horizontalpodautoscalers`;
  const valuesIn = (autoscaler: JsonObject) =>
    objectsAt(autoscaler, 'spec', 'metrics').map(metric => at(metric, 'pods', 'target', 'averageValue'));

  for (const domain of domains)
    test(`has metrics and behavior in annotations of ${domain} for a client that uses these`, async () => {
      const namespace = await server.namespace();
      const [v1, v2] = [path(namespace, 'v1'), path(namespace, 'v2')];
      const [metrics$, behavior$] = ['metrics', 'behavior'].map(
        name => `autoscaling.alpha.${domain}/${name}`,
      ) as [string, string]; // one for each name
      const created = await server.expect(201, 'POST', v1, {
        body: {
          metadata: { name: 'a', annotations: { [metrics$]: metrics('5'), [behavior$]: behavior } },
          spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' } },
        },
      });
      const told = (object: JsonObject, key: string) =>
        JSON.parse(String(at(object, 'metadata', 'annotations', key)));
      for (const object of [created, await server.expect(200, 'GET', `${v1}/a`)]) {
        assert.deepEqual(told(object, metrics$), JSON.parse(metrics('5')));
        assert.equal(told(object, behavior$).scaleDown.stabilizationWindowSeconds, 60);
        assert.equal(at(object, 'spec', 'targetCPUUtilizationPercentage'), undefined);
      }
      const newer = await server.expect(200, 'GET', `${v2}/a`);
      assert.deepEqual(valuesIn(newer), ['5']);
      assert.equal(at(newer, 'spec', 'behavior', 'scaleDown', 'stabilizationWindowSeconds'), 60);
      assert.equal(at(newer, 'metadata', 'annotations'), undefined);

      await server.expect(200, 'PATCH', `${v1}/a`, {
        body: { metadata: { annotations: { [metrics$]: metrics('7') } } },
        contentType: patches.merge,
      });
      assert.deepEqual(valuesIn(await server.expect(200, 'GET', `${v2}/a`)), ['7']);

      const current = await server.expect(200, 'GET', `${v1}/a`);
      const replaced = structuredClone(current);
      objectAt(replaced, 'metadata', 'annotations')[metrics$] = metrics('9');
      await server.expect(200, 'PUT', `${v1}/a`, { body: replaced });
      assert.deepEqual(valuesIn(await server.expect(200, 'GET', `${v2}/a`)), ['9']);

      const conditions$ = `autoscaling.alpha.${domain}/conditions`;
      await server.expect(200, 'PATCH', `${v1}/a/status`, {
        body: { metadata: { annotations: { [conditions$]: '[{"type":"AbleToScale","status":"True"}]' } } },
        contentType: patches.merge,
      });
      const reported = await server.expect(200, 'GET', `${v2}/a`);
      assert.equal(at(reported, 'status', 'conditions', 0, 'type'), 'AbleToScale');
      assert.equal(told(await server.expect(200, 'GET', `${v1}/a`), conditions$)[0].type, 'AbleToScale');

      await server.expect(200, 'PATCH', `${v1}/a`, {
        body: { metadata: { annotations: { [metrics$]: null } } },
        contentType: patches.merge,
      });
      const plain = await server.expect(200, 'GET', `${v1}/a`);
      assert.equal(at(plain, 'spec', 'targetCPUUtilizationPercentage'), 80);
    });

  test('refuses an empty list of policies in either version', async () => {
    const namespace = await server.namespace();
    const spec = { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' } };
    const cause = ['Invalid', 'FieldValueRequired spec.behavior.scaleUp.policies'];
    const newer = { metadata: { name: 'a' }, spec: { ...spec, behavior: { scaleUp: { policies: [] } } } };
    assert.deepEqual(
      findings(await server.expect(422, 'POST', path(namespace, 'v2'), { body: newer })),
      cause,
    );
    const annotations = { 'autoscaling.alpha.kubernetes.io/behavior': '{"scaleUp":{"policies":[]}}' };
    const older = { metadata: { name: 'a', annotations }, spec };
    assert.deepEqual(
      findings(await server.expect(422, 'POST', path(namespace, 'v1'), { body: older })),
      cause,
    );
  });
});

test('the zero time of Go is null in every answer', async () => {
  const services = `${await server.namespace()}/services`;
  await server.expect(201, 'POST', services, {
    body: { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } },
  });
  const zero = '0001-01-01T00:00:00Z';
  const condition = { type: 'Ready', status: 'True', reason: 'R', message: '', lastTransitionTime: zero };
  const refused = await server.expect(422, 'PATCH', `${services}/s/status`, {
    body: { status: { conditions: [condition] } },
    contentType: patches.merge,
  });
  assert.deepEqual(findings(refused), [
    'Invalid',
    'FieldValueRequired status.conditions[0].lastTransitionTime',
  ]);
  const nodes = '/api/v1/nodes';
  const node = {
    metadata: { name: 'n' },
    status: { conditions: [{ type: 'Ready', lastHeartbeatTime: zero }] },
  };
  await server.expect(201, 'POST', nodes, { body: node });
  const read = await server.expect(200, 'GET', `${nodes}/n`);
  assert.equal(at(read, 'status', 'conditions', 0, 'lastHeartbeatTime'), null);
});
