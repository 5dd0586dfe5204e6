import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApiServer, until } from './api-server.ts';
import { startWebhooks } from './webhook-server.ts';

const configMaps = '/api/v1/namespaces/t/configmaps';
const hookSeconds = 0.2;

test('webhook calls are counted and measured, and excluded from the duration without webhooks', async () => {
  await using hooks = await startWebhooks({
    '/deny': () => ({ allowed: false, status: { message: 'no', code: 418 } }),
    '/slow': () => (response, review) => {
      const answer = {
        ...review,
        response: { uid: readUid(review), allowed: true, auditAnnotations: { seen: 'yes' } },
      };
      setTimeout(() => response.end(JSON.stringify(answer)), hookSeconds * 1000);
    },
    '/broken': () => response => response.writeHead(500).end(),
  });
  const lines: { readonly path?: string; readonly annotations?: Record<string, string> }[] = [];
  const log = {
    debug() {},
    warn() {},
    error() {},
    info: (_: string, fields = {}) => void lines.push(fields),
    child: () => log,
  };
  await using server = await startApiServer({ log, accessLog: 'annotated' });
  await server.namespace('t');
  const webhook = (path: string, failurePolicy: string) => ({
    name: `${path}.example.com`,
    clientConfig: { url: `${hooks.url}/${path}`, caBundle: hooks.caBundle },
    rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
    objectSelector: { matchLabels: { hook: path } },
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    failurePolicy,
  });
  const { code } = await server.call(
    'POST',
    '/apis/admissionregistration.cluster.io/v1/validatingwebhookconfigurations',
    {
      body: {
        metadata: { name: 'hooks' },
        webhooks: [webhook('slow', 'Fail'), webhook('broken', 'Ignore'), webhook('deny', 'Fail')],
      },
    },
  );
  assert.equal(code, 201);
  const create = (name: string, hook: string) =>
    server.call('POST', configMaps, { body: { metadata: { name, labels: { hook } } } });
  let tries = 0;
  await until('the webhooks are in effect', async () => (await create(`d${++tries}`, 'deny')).code === 418);
  assert.equal((await create('s', 'slow')).code, 201);
  assert.equal((await create('b', 'broken')).code, 201);

  const { text } = await server.call('GET', '/metrics');
  for (const line of [
    'apiserver_admission_webhook_request_total{name="deny.example.com",type="validating",operation="CREATE",code="418",rejected="true"} 1',
    'apiserver_admission_webhook_request_total{name="slow.example.com",type="validating",operation="CREATE",code="200",rejected="false"} 1',
    'apiserver_admission_webhook_rejection_count{name="deny.example.com",operation="CREATE",type="validating",error_type="no_error",rejection_code="418"} 1',
    'apiserver_admission_webhook_fail_open_count{name="broken.example.com",type="validating"} 1',
    'apiserver_admission_webhook_admission_duration_seconds_count{name="slow.example.com",type="validating",operation="CREATE",rejected="false"} 1',
  ]) {
    assert.ok(text.includes(`\n${line}\n`), line);
  }
  const seconds = (name: string) =>
    Number(
      new RegExp(`^${name}_sum\\{.*resource="configmaps",.*verb="POST",.*\\} (\\S+)$`, 'm').exec(text)?.[1],
    );
  const [whole, own] = [
    seconds('apiserver_request_duration_seconds'),
    seconds('apiserver_request_sli_duration_seconds'),
  ];
  assert.ok(own <= whole - hookSeconds * 0.9, `${own} of ${whole}`);
  const logged = lines.find(({ annotations = {} }) => 'slow.example.com/seen' in annotations);
  assert.deepEqual([logged?.path, logged?.annotations?.['slow.example.com/seen']], [configMaps, 'yes']);
});

function readUid(review: object): unknown {
  return (review as { readonly request: { readonly uid: string } }).request.uid; // The server sends a review of this shape.
}
