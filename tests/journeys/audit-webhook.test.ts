import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { serviceUsers } from '@binnacle/api-names';
import { writeClientConfiguration } from '@binnacle/client';
import type { StandaloneOptions } from '@binnacle/standalone/testing';
import { createPki, loadTls, type Pki } from '@binnacle/tls';
import { type ApiServer, until } from './api-server.ts';
import { type AuditEvent, startAuditedServer } from './audit-log.ts';
import { findPort } from './setup/find-port.ts';
import { createTemporaryDirectory } from './setup/temporary-directory.ts';

let directory: Awaited<ReturnType<typeof createTemporaryDirectory>>;
let pki: Pki;
before(async () => {
  directory = await createTemporaryDirectory();
  pki = await createPki(directory.path, { clients: [{ name: 'auditor', commonName: 'auditor' }] });
});
after(() => directory[Symbol.asyncDispose]());

/** A collector of events over TLS, on a port that it has for good. */
interface Collector extends AsyncDisposable {
  /** Each list of events that it took. */
  readonly lists: (readonly AuditEvent[])[];
  readonly bodies: { readonly kind: string; readonly apiVersion: string }[];
  /** The status of its answers; undefined: no answer, ever. */
  code: number | undefined;
  /** Answers those that wait. */
  release(): void;
  /** How many requests it got. */
  readonly requests: () => number;
  /** Stops listening; what is connected is cut off. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  /** A client configuration file for it. */
  readonly configuration: string;
}

let collectors = 0;

async function startCollector(): Promise<Collector> {
  const tls = await loadTls(pki.serverDirectory);
  const client = await loadTls(pki.clientDirectory('auditor'));
  let requests = 0;
  let waiting: ServerResponse[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    requests++;
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
    if (collector.code === undefined) return void waiting.push(response);
    if (collector.code === 200) {
      collector.lists.push(body.items);
      collector.bodies.push(body);
    }
    response.writeHead(collector.code).end();
  };
  const options = { ...tls, ca: client.ca, requestCert: true, rejectUnauthorized: true };
  let server = createServer(options, (request, response) => void take(request, response));
  let port = 0;
  const listen = async () => {
    await once(server.listen(port, '127.0.0.1'), 'listening');
    port = findPort(server);
  };
  const goAway = async () => {
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  };
  await listen();
  const configuration = join(directory.path, `collector-${++collectors}.conf`);
  await writeClientConfiguration(
    configuration,
    {
      servers: [`https://127.0.0.1:${port}/events`],
      certificateAuthority: await readFile(pki.caFile),
      clientCertificate: client.cert,
      clientKey: client.key,
    },
    { cluster: 'collector', user: 'auditor' },
  );
  const collector: Collector = {
    lists: [],
    bodies: [],
    code: 200,
    requests: () => requests,
    release() {
      for (const response of waiting) response.writeHead(200).end();
      waiting = [];
    },
    goAway,
    async comeBack() {
      server = createServer(options, (request, response) => void take(request, response));
      await listen();
    },
    configuration,
    [Symbol.asyncDispose]: goAway,
  };
  return collector;
}

const rules = `
- {level: None, users: ["${serviceUsers.controllerManager}"]}
- {level: None, nonResourceURLs: ["*"]}
- {level: None, resources: [{resources: [namespaces]}]}
- {level: Request, resources: [{resources: [configmaps]}]}
- {level: None}
`;
const maps = '/api/v1/namespaces/z/configmaps';

function start(collector: Collector, options: Partial<StandaloneOptions> = {}) {
  return startAuditedServer(rules, {
    auditLogPath: '',
    auditWebhookConfigFile: collector.configuration,
    auditWebhookInitialBackoff: 20,
    auditWebhookBatchMaxWait: 20,
    auditWebhookBatchThrottleEnable: false,
    ...options,
  });
}

async function readLost(server: ApiServer): Promise<number> {
  const { text } = await server.call('GET', '/metrics');
  return Number(/^apiserver_audit_error_total\{plugin="webhook"\} (\d+)$/m.exec(text)?.[1]);
}

test('events are sent in lists of limited size, and the last ones when the server stops', async () => {
  await using collector = await startCollector();
  await using audited = await start(collector, {
    auditWebhookBatchMaxSize: 4,
    auditWebhookBatchMaxWait: 3600_000,
  });
  for (let i = 0; i < 3; i++) await audited.server.call('GET', `${maps}/x${i}`);
  await until('the first list has come', () => collector.lists.length === 1);
  await audited.server.stop();
  assert.deepEqual(
    collector.lists.map(list => list.length),
    [4, 2],
  );
  const [{ kind, apiVersion } = {}] = collector.bodies;
  assert.deepEqual([kind, apiVersion], ['EventList', 'audit.cluster.io/v1']);
  assert.deepEqual(
    collector.lists.flat().map(({ stage, objectRef }) => [stage, objectRef?.['name']]),
    ['x0', 'x1', 'x2'].flatMap(name => [
      ['RequestReceived', name],
      ['ResponseComplete', name],
    ]),
  );
});

test('events are sent when a collector that was down is back', async () => {
  await using collector = await startCollector();
  await using audited = await start(collector, { auditWebhookInitialBackoff: 2_000 });
  await collector.goAway();
  assert.equal((await audited.server.call('GET', `${maps}/away`)).code, 404);
  await collector.comeBack();
  await until('the events have come', () => collector.lists.flat().length === 2);
  assert.equal(await readLost(audited.server), 0);
});

test('events that the collector refuses are lost and counted, and later ones are sent', async () => {
  await using collector = await startCollector();
  await using audited = await start(collector);
  for (const code of [400, 500]) {
    collector.code = code;
    const before = await readLost(audited.server);
    await audited.server.call('GET', `${maps}/refused`);
    await until('the events are counted', async () => (await readLost(audited.server)) === before + 2);
  }
  // One try of what may not be retried, five of what may; the two events may have come apart.
  assert.ok(collector.requests() >= 6);
  collector.code = 200;
  await audited.server.call('GET', `${maps}/taken`);
  await until('the events have come', () => collector.lists.flat().length === 2);
});

test('requests continue without answers of the collector, and events beyond the buffer are counted', async () => {
  await using collector = await startCollector();
  collector.code = undefined;
  await using audited = await start(collector, {
    auditWebhookBatchMaxSize: 1,
    auditWebhookBatchBufferSize: 3,
    shutdownDrainDuration: 200,
  });
  await audited.server.call('GET', `${maps}/first`);
  await until('the first event is on its way', () => collector.requests() === 1);
  for (let i = 0; i < 4; i++) assert.equal((await audited.server.call('GET', `${maps}/x`)).code, 404);
  // One event is on its way, three wait.
  await until('the events are counted', async () => (await readLost(audited.server)) === 6);
  await audited.server.stop();
});

test('events that are too long for the collector are sent without bodies', async () => {
  await using collector = await startCollector();
  await using audited = await start(collector, {
    auditWebhookTruncateEnabled: true,
    auditWebhookTruncateMaxEventSize: 4096,
  });
  for (const size of [10, 10_000])
    await audited.server.call('POST', maps, {
      body: { metadata: { name: `of-${size}` }, data: { a: 'x'.repeat(size) } },
    });
  await until('the events have come', () => collector.lists.flat().length === 4);
  const complete = collector.lists.flat().filter(({ stage }) => stage === 'ResponseComplete');
  assert.deepEqual(
    complete.map(({ requestObject, annotations }) => [
      requestObject !== undefined,
      annotations?.['audit.cluster.io/truncated'],
    ]),
    [
      [true, undefined],
      [false, 'true'],
    ],
  );
});
