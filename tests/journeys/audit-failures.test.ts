import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from './api-server.ts';
import { type AuditedServer, startAuditedServer } from './audit-log.ts';

const maps = '/api/v1/namespaces/z/configmaps';

test('the ends of watches are recorded before the server stops', async () => {
  await using stopping = await startAuditedServer('- {level: Metadata}', {
    auditLogMode: 'batch',
    auditLogBatchMaxSize: 1000,
    auditLogBatchMaxWait: 3600_000,
  });
  using watch = await stopping.server.watch(`${maps}?watch=true`);
  const id = String(watch.headers['audit-id']);
  assert.deepEqual(await stopping.events(), []);
  await stopping.server.stop();
  const stages = (await stopping.events()).filter(({ auditID }) => auditID === id).map(({ stage }) => stage);
  assert.deepEqual(stages, ['RequestReceived', 'ResponseStarted', 'ResponseComplete']);
});

test('a log that cannot be written delays no request, except audited ones refused by blocking-strict', async () => {
  const lines: string[] = [];
  const note = (message: string) => void lines.push(message);
  const log = { debug() {}, info: note, warn: note, error: note, child: () => log };
  const lost = { auditLogPath: '/nonexistent/audit.log', log };
  const metric = async ({ server }: AuditedServer, name: string) => {
    const { text } = await server.call('GET', '/metrics');
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
  };
  const open =
    '- {level: None, nonResourceURLs: ["*"]}\n- {level: None, resources: [{resources: [namespaces]}]}\n';
  for (const auditLogMode of ['batch', 'blocking'] as const) {
    await using audited = await startAuditedServer(`${open}- {level: Metadata, users: [admin]}`, {
      ...lost,
      auditLogMode,
    });
    lines.length = 0;
    for (let i = 0; i < 5; i++) assert.equal((await audited.server.call('GET', maps)).code, 200);
    await until(
      'all are counted',
      async () => (await metric(audited, 'apiserver_audit_error_total\\{plugin="log"\\}')) === 10,
    );
    assert.equal(lines.filter(line => line.startsWith('audit events are lost')).length, 1);
  }
  await using strict = await startAuditedServer(`${open}- {level: Metadata, users: [admin]}`, {
    ...lost,
    auditLogMode: 'blocking-strict',
  });
  const { code, json } = await strict.server.call('POST', maps, { body: { metadata: { name: 'never' } } });
  assert.deepEqual(
    [code, json.reason, json.message],
    [500, 'InternalError', 'Internal error occurred: the request cannot be audited'],
  );
  assert.equal((await strict.server.call('GET', '/version')).code, 200);
  assert.equal(await metric(strict, 'apiserver_audit_requests_rejected_total'), 1);
});
