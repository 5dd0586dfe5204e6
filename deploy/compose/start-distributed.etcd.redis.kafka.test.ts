import assert from 'node:assert/strict';
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { backendRefusalIn, followClientTls, readSecretFile } from '@binnacle/backend-access';
import { findFreePort, pollUntil } from '@binnacle/backends';
import { type ApiClient, createApiClient, loadClientConfiguration } from '@binnacle/client';
import { connectTopicWriter } from '@binnacle/kafka';
import { pkiPaths } from '@binnacle/tls';
import { backendFiles, feedTopic } from './backend-users.ts';
import { type AddedGateway, type Distributed, startDistributed } from './start-distributed.ts';
import { askBackend, type BackendQuestion } from './test-drivers/ask-backend.ts';

const dataDirectory = mkdtempSync(join(tmpdir(), 'binnacle-distributed-'));
const run = join(dataDirectory, 'run');
const port = await findFreePort();
let distributed: Distributed | undefined;
let added: AddedGateway | undefined;

after(async () => {
  await distributed?.stop();
  rmSync(dataDirectory, { recursive: true, force: true });
});

const names = [
  ...[
    'admission-1',
    'admission-2',
    'controller-manager-1',
    'controller-manager-2',
    'etcd-1',
    'gateway-1',
    'gateway-2',
  ],
  ...[
    'kafka-1',
    'redis-1',
    'storage-1',
    'storage-2',
    'token-review-1',
    'token-review-2',
    'webhook-dispatch-1',
  ],
  'webhook-dispatch-2',
];
const unexpected: string[] = [];

function start(): Promise<Distributed> {
  return startDistributed({ dataDirectory, port, onUnexpectedExit: text => unexpected.push(text) });
}

test('every process of the distributed form starts and reports its process id', async () => {
  distributed = await start();
  assert.deepEqual([...distributed.processes.keys()].sort(), names);
  for (const name of names) {
    const pid = Number(readFileSync(join(run, `${name}.pid`), 'utf8'));
    assert.equal(pid, distributed.process(name).pid);
    assert.ok(existsSync(join(run, `${name}.log`)));
  }
  assert.deepEqual(distributed.gateways, [`https://127.0.0.1:${port}`, `https://127.0.0.1:${port + 1}`]);
});

test('a service-account token that one gateway issues is accepted at the other', async () => {
  assert.ok(distributed);
  const configuration = loadClientConfiguration(distributed.adminConfiguration);
  const createClient = (server: string) =>
    createApiClient({ configuration: { ...configuration, servers: [server] }, userAgent: 'test' });
  const [first = '', second = ''] = distributed.gateways;
  await using issuing = createClient(first);
  await using reviewing = createClient(second);
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  const post = <T>(client: ApiClient, path: string, body: object) =>
    client.request<T>({ method: 'POST', path, body });
  await post(issuing, accounts, { metadata: { name: 'robot' } });
  const { status } = await post<{ status: { token: string } }>(issuing, `${accounts}/robot/token`, {
    spec: {},
  });
  const review = await post<{ status: { authenticated: boolean; user: { username: string } } }>(
    reviewing,
    '/apis/authentication.cluster.io/v1/tokenreviews',
    { spec: { token: status.token } },
  );
  assert.equal(review.status.authenticated, true);
  assert.equal(review.status.user.username, 'system:serviceaccount:default:robot');
});

test('an additional gateway with flags of its own serves what the others have stored', async () => {
  assert.ok(distributed);
  added = await distributed.addGateway('--runtime-config=batch/v1=false');
  const configuration = loadClientConfiguration(distributed.adminConfiguration);
  const jobs = '/apis/batch/v1/namespaces/default/jobs';
  const account = '/api/v1/namespaces/default/serviceaccounts/robot';
  for (const [server, path, code] of [
    [distributed.gateways[0], jobs, 200],
    [added.url, jobs, 404],
    [added.url, account, 200],
  ] as const) {
    await using client = createApiClient({
      configuration: { ...configuration, servers: [server ?? ''] },
      userAgent: 'test',
    });
    const answer = await client.request({ method: 'GET', path }).then(
      () => 200,
      (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
    );
    assert.equal(answer, code, `${server}${path}`);
  }
});

const pki = pkiPaths(join(dataDirectory, 'pki'));
const gatewayFiles = backendFiles(pki.serviceDirectory('gateway'));

/** The connections of strangers and of a gateway: with every one of its certificates, to whichever backend. */
function unwelcome(backend: 'etcd' | 'redis'): readonly (BackendQuestion['tls'] | undefined)[] {
  const { caFile } = backendFiles(pki.backendServerDirectory(backend));
  const api = backendFiles(pki.serverDirectory);
  return [
    undefined,
    { caFile },
    { caFile, certFile: gatewayFiles.certFile, keyFile: gatewayFiles.keyFile },
    { caFile, certFile: api.certFile, keyFile: api.keyFile },
  ];
}

test('etcd refuses clients without a certificate and gateways, and gives storage no rights by its certificate alone', async () => {
  assert.ok(distributed);
  const { port: etcdPort } = distributed.etcd;
  const text = 'GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n';
  for (const tls of unwelcome('etcd'))
    assert.doesNotMatch(await askBackend({ port: etcdPort, text, ...(tls && { tls }) }), /etcdserver/);
  const tls = backendFiles(pki.backendClientDirectory('etcd', 'storage'));
  assert.match(await askBackend({ port: etcdPort, text, tls }), /etcdserver/);
  const body = JSON.stringify({ key: Buffer.from('/').toString('base64') });
  const head = `POST /v3/kv/range HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n`;
  // Calls as JSON, with which a gateway's proxy was led to etcd, are not served.
  assert.match(await askBackend({ port: etcdPort, text: `${head}${body}`, tls }), /^HTTP\/1.1 404/);
});

test('Redis refuses clients without a certificate or password, and gateways', async () => {
  assert.ok(distributed);
  const { port: redisPort } = distributed.redis;
  for (const tls of unwelcome('redis'))
    assert.equal(await askBackend({ port: redisPort, text: 'PING\r\n', ...(tls && { tls }) }), '');
  const tls = backendFiles(pki.backendClientDirectory('redis', 'token-review'));
  const text = 'GET binnacle:token-review:x\r\n';
  assert.match(await askBackend({ port: redisPort, text, tls }), /^-NOAUTH/);
  const password = await readSecretFile(
    backendFiles(pki.backendClientDirectory('kafka', 'gateway')).passwordFile,
  );
  const login = `AUTH token-review ${password}\r\n`;
  assert.match(await askBackend({ port: redisPort, text: login, tls }), /^-WRONGPASS/);
});

test('Kafka refuses unknown clients, and writes of a gateway', async () => {
  assert.ok(distributed);
  const files = backendFiles(pki.backendClientDirectory('kafka', 'gateway'));
  const password = () => readSecretFile(files.passwordFile);
  const user = { mechanism: 'scram-sha-512', username: 'gateway', password } as const;
  const tls = await followClientTls('kafka', {
    caFile: files.caFile,
    certFile: undefined,
    keyFile: undefined,
  });
  const { brokers } = distributed.kafka;
  const connections = [
    [{ tls: undefined, user: undefined }, 'tls'],
    [{ tls, user: undefined }, 'credentials'],
    [{ tls, user: { ...user, username: 'storage' } }, 'credentials'],
    [{ tls, user }, 'permission'],
  ] as const;
  for (const [access, kind] of connections) {
    const append = async () => {
      const connection = { brokers, clientId: 'stranger', ...access };
      await using writer = await connectTopicWriter({ connection, topic: feedTopic });
      await writer.append([{ partition: 0, key: null, value: Buffer.from('{}'), timestamp: 1 }]);
    };
    await assert.rejects(append, (error: unknown) => {
      assert.equal(backendRefusalIn(error)?.kind, kind, String(error));
      return true;
    });
  }
});

test('the topic holds no object in plaintext', async () => {
  assert.ok(distributed);
  const configuration = loadClientConfiguration(distributed.adminConfiguration);
  await using client = createApiClient({ configuration, userAgent: 'test' });
  const stringData = { password: 'a-secret-in-the-feed' };
  const path = '/api/v1/namespaces/default/secrets';
  await client.request({ method: 'POST', path, body: { metadata: { name: 'closed-letter' }, stringData } });
  const log = join(dataDirectory, 'kafka');
  const files = globSync('**/*.log', { cwd: log }).filter(file => file.includes(feedTopic));
  assert.ok(files.length > 0);
  for (const file of files) {
    const bytes = readFileSync(join(log, file));
    for (const text of [
      'closed-letter',
      'a-secret-in-the-feed',
      Buffer.from(stringData.password).toString('base64'),
    ])
      assert.ok(!bytes.includes(text), `${file} holds ${text}`);
  }
});

test('password and key files are readable by their owner alone', () => {
  const secrets = globSync('pki/**/{password,*.key}', { cwd: dataDirectory });
  assert.ok(secrets.length > 10);
  for (const secret of secrets) assert.equal(statSync(join(dataDirectory, secret)).mode & 0o077, 0, secret);
});

test('a data folder serves one distributed form at a time', async () => {
  await assert.rejects(start(), /another distributed form uses/);
});

test('killed processes can be started again, and the form becomes ready', async () => {
  assert.ok(distributed);
  const victims = ['gateway-2', 'storage-1', 'etcd-1', 'redis-1'].map(name => distributed!.process(name));
  await Promise.all(victims.map(victim => victim.kill()));
  assert.ok(victims.every(victim => !victim.running));
  await Promise.all(victims.map(victim => victim.restart()));
  await distributed.waitUntilReady();
  assert.deepEqual(unexpected, []);
});

/** The readiness of a service: the names of the checks that fail. */
async function failingChecks(name: string): Promise<string[]> {
  const url = `http://127.0.0.1:${distributed?.operationsPort(name)}/readyz?verbose`;
  const text = await (await fetch(url)).text();
  return [...text.matchAll(/^\[-\](\S+)/gm)].map(match => match[1] ?? '');
}

test('a service is ready, and not ready while a backend that it needs is down', async () => {
  const form = distributed;
  assert.ok(form);
  const services = [...form.processes.keys()].filter(name => !/^(etcd|kafka|redis|gateway)-/.test(name));
  for (const name of services)
    await pollUntil(`${name} to be ready`, async () => (await failingChecks(name)).length === 0);
  for (const [needed, name, check] of [
    ['storage', 'token-review-1', 'storage'],
    ['gateway', 'controller-manager-1', 'gateway'],
  ] as const) {
    const pods = [form.process(`${needed}-1`), form.process(`${needed}-2`)];
    await Promise.all(pods.map(pod => pod.kill()));
    assert.deepEqual(await failingChecks(name), [check]);
    await Promise.all(pods.map(pod => pod.restart()));
    await pollUntil(`${name} to be ready again`, async () => (await failingChecks(name)).length === 0);
  }
  await form.waitUntilReady();
});

async function readMetrics(name: string): Promise<string> {
  return (await fetch(`http://127.0.0.1:${distributed?.operationsPort(name)}/metrics`)).text();
}

/** Whether a storage pod leads, and how many transactions it was asked for. */
async function storagePod(name: string): Promise<{ name: string; leads: boolean; asked: number }> {
  const text = await readMetrics(name);
  const asked = /^binnacle_rpc_server_calls_total\{method="Storage.transact",outcome="OK"\} (\d+)$/m.exec(
    text,
  );
  return { name, leads: /^binnacle_storage_leader 1$/m.test(text), asked: Number(asked?.[1] ?? 0) };
}

test('writes go to the leading storage pod, and to its successor after it', async () => {
  const form = distributed;
  assert.ok(form);
  const configuration = loadClientConfiguration(form.adminConfiguration);
  await using client = createApiClient({ configuration, userAgent: 'test' });
  const path = '/api/v1/namespaces/default/configmaps';
  let written = 0;
  /** Writes until a round of twenty goes to the pod that leads alone; its name. */
  const pollLeader = async (): Promise<string> => {
    let leader: string | undefined;
    await pollUntil('all writes to go to the leader', async () => {
      const pods = () => Promise.all(['storage-1', 'storage-2'].map(storagePod));
      const before = await pods();
      for (let count = 0; count < 20; count++)
        await client.request({ method: 'POST', path, body: { metadata: { name: `written-${written++}` } } });
      const gained = (await pods()).map((pod, index) => pod.asked - (before[index]?.asked ?? 0));
      const leading = before.findIndex(({ leads }) => leads);
      leader = before[leading]?.name;
      return leader !== undefined && (gained[leading] ?? 0) >= 20 && gained[1 - leading] === 0;
    });
    return leader ?? assert.fail('no process leads');
  };
  const first = await pollLeader();
  await form.process(first).kill();
  const other = first === 'storage-1' ? 'storage-2' : 'storage-1';
  await pollUntil('the other one to lead', async () => (await storagePod(other)).leads);
  await form.process(first).restart();
  await form.waitUntilReady();
  assert.equal(await pollLeader(), other);
});

test('one of two controller-managers leads, and every process exports when its certificates expire', async () => {
  const form = distributed;
  assert.ok(form);
  await pollUntil('one leader', async () => {
    const texts = await Promise.all([1, 2].map(number => readMetrics(`controller-manager-${number}`)));
    const leading = texts.filter(text => /^leader_election_master_status\{.*\} 1$/m.test(text));
    return leading.length === 1;
  });
  for (const [name, certificates] of [
    ['gateway-1', ['api', 'client-authority', 'services', 'services-authority']],
    ['storage-1', ['etcd-authority', 'etcd-client', 'services', 'services-authority']],
    ['token-review-1', ['redis-authority', 'redis-client', 'services', 'services-authority']],
    ['controller-manager-1', ['api-authority', 'api-client']],
  ] as const) {
    const text = await readMetrics(name);
    const found = [
      ...text.matchAll(/^binnacle_certificate_expiry_timestamp_seconds\{certificate="(.+)"\} (.+)$/gm),
    ];
    assert.deepEqual(found.map(match => match[1]).toSorted(), certificates, name);
    for (const [line, , end] of found) assert.ok(Number(end) * 1000 > Date.now(), line);
  }
});

test('a stop ends every process and removes its process id file', async () => {
  assert.ok(distributed);
  assert.ok(added?.process.running);
  const pids = [...distributed.processes.values(), added.process].map(child => child.pid!);
  await distributed.stop();
  for (const pid of pids) assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  assert.deepEqual(
    readdirSync(run).filter(file => file.endsWith('.pid')),
    [],
  );
});

test('the form starts again on the data that it left', async () => {
  distributed = await start();
  assert.ok([...distributed.processes.values()].every(child => child.running));
});
