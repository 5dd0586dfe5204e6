import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@binnacle/api-objects';
import { startApiServer, until } from './api-server.ts';
import { configMapRule, configurationsPath, patched } from './webhook-journey.ts';
import { startWebhooks } from './webhook-server.ts';

const configMaps = '/api/v1/namespaces/t/configmaps';
const group = 'webhook.admission.cluster.io';

interface LogLine {
  readonly path?: string;
  readonly code?: number;
  readonly annotations?: Readonly<Record<string, string>>;
}

test('the access log and metrics record mutating webhooks, without their patches', async () => {
  const operation = { op: 'add', path: '/data', value: { a: '1' } };
  await using hooks = await startWebhooks({
    '/patch': () => patched(operation),
    '/allow': () => ({ allowed: true }),
    '/broken': () => response => response.writeHead(500).end(),
    '/bad': () => patched({ op: 'remove', path: '/data/none' }),
    '/deny': () => ({ allowed: false, status: { code: 999 } }),
    '/teapot': () => ({ allowed: false, status: { code: 418 } }),
  });
  const lines: LogLine[] = [];
  const log = {
    debug() {},
    warn() {},
    error() {},
    info: (_: string, fields = {}) => void lines.push(fields),
    child: () => log,
  };
  await using server = await startApiServer({ log, accessLog: 'annotated' });
  await server.namespace('t');
  const webhook = (path: string, labels: string[], more: JsonObject = {}): JsonObject => ({
    name: `${path}.example.com`,
    clientConfig: { url: `${hooks.url}/${path}`, caBundle: hooks.caBundle },
    rules: [configMapRule],
    objectSelector: { matchExpressions: [{ key: 'hook', operator: 'In', values: labels }] },
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    ...more,
  });
  const webhooks = [
    webhook('allow', ['good'], { reinvocationPolicy: 'IfNeeded' }),
    webhook('broken', ['good'], { failurePolicy: 'Ignore' }),
    webhook('patch', ['good']),
    webhook('bad', ['bad']),
    webhook('deny', ['deny']),
    webhook('teapot', ['probe']),
  ];
  const configuration = { metadata: { name: 'hooks' }, webhooks };
  const created = await server.call('POST', configurationsPath('mutating'), { body: configuration });
  assert.equal(created.code, 201, created.text);
  const create = (hook: string) =>
    server.call('POST', configMaps, { body: { metadata: { generateName: 'x-', labels: { hook } } } });
  await until('the webhooks are in effect', async () => (await create('probe')).code === 418);
  lines.length = 0;
  assert.equal((await create('good')).code, 201);
  assert.equal((await create('bad')).code, 500);
  assert.equal((await create('deny')).code, 400);

  const place = { configuration: 'hooks' };
  const noted = (order: number, name: string, mutated: boolean, round = 0) => [
    `mutation.${group}/round_${round}_index_${order}`,
    JSON.stringify({ ...place, webhook: `${name}.example.com`, mutated }),
  ];
  await until('the requests are logged', () => lines.filter(({ path }) => path === configMaps).length === 3);
  assert.deepEqual(
    lines.filter(({ path }) => path === configMaps).map(({ annotations }) => annotations),
    [
      Object.fromEntries([
        noted(0, 'allow', false),
        [`failed-open.mutation.${group}/round_0_index_1`, 'broken.example.com'],
        noted(1, 'broken', false),
        noted(2, 'patch', true),
        noted(0, 'allow', false, 1),
      ]),
      Object.fromEntries([noted(3, 'bad', false)]),
      Object.fromEntries([noted(4, 'deny', false)]),
    ],
  );

  const { text } = await server.call('GET', '/metrics');
  for (const line of [
    'apiserver_admission_webhook_request_total{name="patch.example.com",type="admit",operation="CREATE",code="200",rejected="false"} 1',
    'apiserver_admission_webhook_request_total{name="allow.example.com",type="admit",operation="CREATE",code="200",rejected="false"} 2',
    'apiserver_admission_webhook_rejection_count{name="bad.example.com",operation="CREATE",type="admit",error_type="apiserver_internal_error",rejection_code="500"} 1',
    'apiserver_admission_webhook_rejection_count{name="deny.example.com",operation="CREATE",type="admit",error_type="no_error",rejection_code="400"} 1',
    'apiserver_admission_webhook_fail_open_count{name="broken.example.com",type="admit"} 1',
    'apiserver_admission_webhook_admission_duration_seconds_count{name="patch.example.com",type="admit",operation="CREATE",rejected="false"} 1',
  ]) {
    assert.ok(text.includes(`\n${line}\n`), line);
  }
});
