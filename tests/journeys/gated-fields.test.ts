import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { featureGatesFrom } from '@binnacle/flags/testing';
import { type AdminServer, at, findings, type Sent, startAdminServer } from './admin-server.ts';
import { apply, listManagers } from './apply-as-manager.ts';
import { objectAt } from './setup/json-parts.ts';
import { createTemporaryDirectory } from './setup/temporary-directory.ts';
import { patched, startWebhookJourney, type WebhookJourney } from './webhook-journey.ts';

const mergePatch = 'application/merge-patch+json';
const strategicPatch = 'application/strategic-merge-patch+json';
const jsonPatch = 'application/json-patch+json';

const gated = { ordinals: { start: 3 }, hostUsers: false, procMount: 'Unmasked' };

/** A stateful set with fields of three gates, one of them in its template. */
const statefulSet = (name: string, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name, ...metadata },
  spec: {
    serviceName: 's',
    ordinals: gated.ordinals,
    selector: { matchLabels: { app: 'x' } },
    template: {
      metadata: { labels: { app: 'x' } },
      spec: {
        hostUsers: gated.hostUsers,
        containers: [{ name: 'c', image: 'i', securityContext: { procMount: gated.procMount } }],
      },
    },
  },
});

/** The gated fields of an object, and those of its managers. */
function gatedIn(object: JsonObject): JsonValue {
  const podSpec = at(object, 'spec', 'template', 'spec');
  return {
    ordinals: at(object, 'spec', 'ordinals') ?? null,
    hostUsers: at(podSpec, 'hostUsers') ?? null,
    procMount: at(podSpec, 'containers', 0, 'securityContext', 'procMount') ?? null,
    managed: listManagers(object).some(entry => /f:ordinals|f:hostUsers/.test(entry)),
  };
}

const dropped = { ordinals: null, hostUsers: null, procMount: 'Default', managed: false };
const kept = { ...gated, managed: true };

let journey: WebhookJourney;
let server: AdminServer;
let sets: string;
before(async () => {
  journey = await startWebhookJourney({
    '/gate': () => patched({ op: 'add', path: '/spec/schedulingGates', value: [{ name: 'a' }] }),
  });
  ({ server } = journey);
  sets = `/apis/apps/v1/namespaces/${(await server.namespace()).split('/').at(-1)}/statefulsets`;
});
after(() => journey?.[Symbol.asyncDispose]());

/** Creates a stateful set without gated fields, and gives what is to be sent to write all of them. */
async function plainSet(name: string): Promise<void> {
  const { spec, ...rest } = statefulSet(name);
  const { ordinals: _, ...others } = objectAt(spec);
  const template = { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  await server.expect(201, 'POST', sets, { body: { ...rest, spec: { ...others, template } } });
}

const podSpec = at(statefulSet('x'), 'spec', 'template', 'spec') ?? null;
const changes = { spec: { ordinals: gated.ordinals, template: { spec: podSpec } } };

test('a creation drops gated fields silently, whatever fieldValidation is requested', async () => {
  for (const query of ['', '?fieldValidation=Strict', '?dryRun=All', '?fieldManager=m']) {
    const name = `created${query.length}`;
    const answer = await server.send('POST', sets + query, { body: statefulSet(name) });
    assert.deepEqual([answer.code, answer.warnings], [201, []], query);
    assert.deepEqual(gatedIn(answer.body), dropped, query);
    if (!query.includes('dryRun'))
      assert.deepEqual(gatedIn(await server.expect(200, 'GET', `${sets}/${name}`)), dropped);
  }
});

const updates: readonly (readonly [string, string, (name: string) => Sent])[] = [
  ['PUT', 'a replacement', name => ({ body: statefulSet(name) })],
  ['PATCH', 'a merge patch', () => ({ body: changes, contentType: mergePatch })],
  ['PATCH', 'a strategic merge patch', () => ({ body: changes, contentType: strategicPatch })],
  [
    'PATCH',
    'a JSON patch',
    () => ({
      body: [
        { op: 'add', path: '/spec/ordinals', value: gated.ordinals },
        { op: 'add', path: '/spec/template/spec', value: podSpec },
      ],
      contentType: jsonPatch,
    }),
  ],
];
for (const [index, [method, what, sent]] of updates.entries()) {
  test(`${what} adds no gated field`, async () => {
    const name = `changed${index}`;
    await plainSet(name);
    for (const query of ['?dryRun=All', '?fieldValidation=Strict']) {
      const answer = await server.send(method, `${sets}/${name}${query}`, sent(name));
      assert.deepEqual([answer.code, answer.warnings], [200, []]);
      assert.deepEqual(gatedIn(answer.body), dropped);
    }
    const path = `${sets}/${name}`;
    const stored = await server.expect(200, 'GET', path);
    assert.deepEqual(gatedIn(stored), dropped);
    // A write of dropped fields alone changes nothing.
    const repeated = await server.expect(200, method, path, sent(name));
    assert.equal(at(repeated, 'metadata', 'resourceVersion'), at(stored, 'metadata', 'resourceVersion'));
  });
}

test('an apply neither stores nor manages gated fields', async () => {
  const path = `${sets}/applied`;
  assert.deepEqual(gatedIn(await apply(server, path, ['m', statefulSet('applied'), { code: 201 }])), dropped);
  const repeated = await apply(server, path, ['m', statefulSet('applied')]);
  assert.deepEqual(gatedIn(repeated), dropped);
  await plainSet('joined');
  assert.deepEqual(
    gatedIn(await apply(server, `${sets}/joined`, ['m', statefulSet('joined'), { force: true }])),
    dropped,
  );
});

test('a gated field of the wrong type is refused', async () => {
  const wrong = statefulSet('wrong');
  const body = { ...wrong, spec: { ...objectAt(wrong, 'spec'), ordinals: 'three' } };
  await server.expect(400, 'POST', sets, { body });
  const { code } = await server.send('PATCH', `${sets}/wrong?fieldManager=m`, {
    body,
    contentType: 'application/apply-patch+yaml',
  });
  assert.ok(code >= 400, String(code));
});

test('a webhook adds no gated field', async () => {
  const rules = [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }];
  await using _configuration = await journey.configure(
    'mutating',
    journey.webhook('/gate', 'gate', { rules }),
  );
  const pods = `${await server.namespace()}/pods`;
  const body = {
    metadata: { name: 'p', labels: { case: 'gate' } },
    spec: { containers: [{ name: 'c', image: 'i' }], automountServiceAccountToken: false },
  };
  await server.expect(201, 'POST', `${pods.replace('/pods', '')}/serviceaccounts`, {
    body: { metadata: { name: 'other' } },
  });
  const created = await server.expect(201, 'POST', pods, {
    body: { ...body, spec: { ...body.spec, serviceAccountName: 'other' } },
  });
  assert.equal(journey.callsTo('/gate').length, 1);
  assert.equal(at(created, 'spec', 'schedulingGates'), undefined);
});

test('container resource metrics are refused as empty', async () => {
  const scalers = sets
    .replace('apps/v1', 'autoscaling/v2')
    .replace('statefulsets', 'horizontalpodautoscalers');
  const target = { type: 'Utilization', averageUtilization: 50 };
  const metrics = [{ type: 'ContainerResource', containerResource: { name: 'cpu', container: 'c', target } }];
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };
  const refused = await server.expect(422, 'POST', scalers, {
    body: { metadata: { name: 'a' }, spec: { maxReplicas: 2, scaleTargetRef, metrics } },
  });
  assert.deepEqual(findings(refused), ['Invalid', 'FieldValueRequired spec.metrics[0].containerResource']);
});

test('gated fields are kept while their gates are on, and remain after the gates are off again', async () => {
  await using directory = await createTemporaryDirectory();
  const gates = 'StatefulSetStartOrdinal=true,UserNamespacesStatelessPodsSupport=true,ProcMountType=true';
  const paths: string[] = [];
  {
    await using on = await startAdminServer({
      dataDir: directory.path,
      featureGates: featureGatesFrom(gates),
    });
    const path = `/apis/apps/v1${(await on.namespace()).slice('/api/v1'.length)}/statefulsets`;
    assert.deepEqual(gatedIn(await on.expect(201, 'POST', path, { body: statefulSet('sent') })), kept);
    assert.deepEqual(
      gatedIn(await apply(on, `${path}/applied`, ['m', statefulSet('applied'), { code: 201 }])),
      kept,
    );
    paths.push(`${path}/sent`, `${path}/applied`);
  }
  await using off = await startAdminServer({ dataDir: directory.path });
  for (const path of paths) {
    const changed = await off.expect(200, 'PATCH', path, {
      body: { metadata: { labels: { a: 'b' } } },
      contentType: mergePatch,
    });
    assert.deepEqual(gatedIn(changed), kept);
    const next = { start: 4 };
    const other = await off.expect(200, 'PATCH', path, {
      body: { spec: { ordinals: next } },
      contentType: mergePatch,
    });
    assert.deepEqual(at(other, 'spec', 'ordinals'), next);
    // A field that was taken out once is not used any more.
    await off.expect(200, 'PATCH', path, { body: { spec: { ordinals: null } }, contentType: mergePatch });
    const back = await off.expect(200, 'PATCH', path, {
      body: { spec: { ordinals: next } },
      contentType: mergePatch,
    });
    assert.equal(at(back, 'spec', 'ordinals'), undefined);
    assert.equal(at(back, 'spec', 'template', 'spec', 'hostUsers'), false);
  }
});
