import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { JsonObject } from '@binnacle/api-objects';
import type { AdminServer } from './admin-server.ts';
import { shareAdminServer } from './shared-server.ts';

const mergePatch = 'application/merge-patch+json';
const applyPatch = 'application/apply-patch+yaml';

let server: AdminServer;
let deployments: string;
let cronJobs: string;
before(async () => {
  server = await shareAdminServer();
  const namespace = (await server.namespace()).split('/').at(-1);
  deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  cronJobs = `/apis/batch/v1/namespaces/${namespace}/cronjobs`;
});
after(() => server?.[Symbol.asyncDispose]());

const env = [
  { name: 'A', value: '1' },
  { name: 'A', value: '2' },
];
const podTemplate = (spec: JsonObject = {}): JsonObject => ({
  metadata: { labels: { app: 'x' } },
  spec: { containers: [{ name: 'c', image: 'i', env }], ...spec },
});
const deployment = (name: string): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: { selector: { matchLabels: { app: 'x' } }, template: podTemplate() },
});
const twice = 'spec.template.spec.containers[0].env[1].name: duplicate name "A"';

test('a creation returns warnings, in a dry run too', async () => {
  for (const query of ['?dryRun=All', '']) {
    const created = await server.send('POST', deployments + query, { body: deployment('created') });
    assert.deepEqual([created.code, created.warnings], [201, [twice]]);
  }
});

test('an update returns warnings if it changes a relevant field, and a write to status does not', async () => {
  const path = `${deployments}/changed`;
  await server.expect(201, 'POST', deployments, { body: deployment('changed') });
  const change = (body: JsonObject, subresource = '') =>
    server.send('PATCH', path + subresource, { body, contentType: mergePatch });
  assert.deepEqual((await change({ metadata: { labels: { a: 'b' } } })).warnings, []);
  assert.deepEqual((await change({ spec: { replicas: 2 } })).warnings, [twice]);
  assert.deepEqual((await change({ status: { replicas: 1 } }, '/status')).warnings, []);
  assert.deepEqual((await change({ spec: { replicas: 3 } }, '/scale')).warnings, []);
});

test('an apply and a creation by an update return warnings too', async () => {
  const path = `${deployments}/applied`;
  const body = deployment('applied');
  const applied = await server.send('PATCH', `${path}?fieldManager=m`, {
    body: {
      ...body,
      spec: {
        selector: { matchLabels: { app: 'x' } },
        template: podTemplate({
          nodeSelector: { 'beta.cluster.io/os': 'linux' },
          containers: [{ name: 'c', image: 'i' }],
        }),
      },
    },
    contentType: applyPatch,
  });
  assert.deepEqual(
    [applied.code, applied.warnings],
    [
      201,
      [
        'spec.template.spec.nodeSelector[beta.cluster.io/os]: deprecated since v1.14, use "cluster.io/os" instead',
      ],
    ],
  );
  const replaced = await server.send('PUT', path, { body });
  assert.deepEqual([replaced.code, replaced.warnings], [200, [twice]]);
});

test('a refused request returns no warnings', async () => {
  const body = { ...deployment('refused'), spec: { template: podTemplate() } };
  const refused = await server.send('POST', deployments, { body });
  assert.deepEqual([refused.code, refused.warnings], [422, []]);
});

test('a schedule with a time zone returns a warning at every update', async () => {
  const body = {
    metadata: { name: 'zoned' },
    spec: {
      schedule: 'CRON_TZ=UTC 0 * * * *',
      jobTemplate: {
        spec: { template: podTemplate({ restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] }) },
      },
    },
  };
  const warning =
    'spec.schedule: TZ and CRON_TZ are not officially supported, use the field "timeZone" instead';
  assert.deepEqual((await server.send('POST', cronJobs, { body })).warnings, [warning]);
  const labelled = await server.send('PATCH', `${cronJobs}/zoned`, {
    body: { metadata: { labels: { a: 'b' } } },
    contentType: mergePatch,
  });
  assert.deepEqual([labelled.code, labelled.warnings], [200, [warning]]);
});
