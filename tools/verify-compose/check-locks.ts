import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pollUntil } from '@binnacle/backends';
import type { Check, CheckContext } from './checks.ts';
import type { ComposeService } from './compose-file.ts';
import { podman, tryPodman } from './podman.ts';

/** Statements about backends: unauthorized clients get nothing, and services with wrong credentials report them. */
export const lockChecks: readonly Check[] = [
  { what: 'etcd, Kafka and Redis refuse plain connections', run: plainConnectionsAreRefused },
  { what: 'etcd, Kafka and Redis refuse TLS without credentials', run: anonymousConnectionsAreRefused },
  { what: 'a certificate of etcd without its user opens nothing', run: certificateAloneOpensNothing },
  { what: 'a gateway reaches neither etcd nor Redis', run: gatewayIsApart },
  { what: 'wrong credentials are named in log and readyz', run: wrongCredentialsAreNamed },
];

interface Backend {
  readonly host: string;
  readonly port: number;
  readonly network: string;
  /** A request that a server without locks answers. */
  readonly request: Buffer;
  /** Whether an answer to bytes that are not TLS gives no information. */
  readonly isRefusal: (answer: string) => boolean;
}

/** Metadata, version 1, of all topics: answered only after authentication. */
const kafkaMetadata = Buffer.from('0000000f0003000100000001000178ffffffff', 'hex');

const backends: readonly Backend[] = [
  {
    host: 'etcd',
    port: 2379,
    network: 'state',
    request: Buffer.from('GET /version HTTP/1.1\r\nHost: etcd\r\nConnection: close\r\n\r\n'),
    isRefusal: answer => answer === '' || answer.includes('sent an HTTP request to an HTTPS server'),
  },
  { host: 'kafka', port: 9092, network: 'feed', request: kafkaMetadata, isRefusal: isEmptyOrAlert },
  {
    host: 'redis',
    port: 6379,
    network: 'cache',
    request: Buffer.from('PING\r\n'),
    isRefusal: isEmptyOrAlert,
  },
];

/** Whether an answer is empty or an alert of TLS, which begins with 21 and has only a number. */
function isEmptyOrAlert(answer: string): boolean {
  return answer === '' || (answer.charCodeAt(0) === 21 && answer.length <= 16);
}

async function plainConnectionsAreRefused(context: CheckContext): Promise<string> {
  for (const backend of backends) {
    const { why, answer } = await ask(context, backend);
    assert.notEqual(why, 'silence', backend.host);
    assert.ok(backend.isRefusal(answer), `${backend.host} answers a stranger: ${answer}`);
  }
  return '';
}

async function anonymousConnectionsAreRefused(context: CheckContext): Promise<string> {
  for (const backend of backends) {
    const { answer } = await ask(context, backend, 'none');
    assert.equal(answer, '', `${backend.host} answers a stranger: ${answer}`);
  }
  // Redis tells the holder of a certificate that a password is missing.
  const redis = backends.find(({ host }) => host === 'redis');
  assert.ok(redis);
  const { answer } = await ask(context, redis, '/credentials', 'redis-token-review');
  assert.match(answer, /^-NOAUTH /);
  return '';
}

/** Asks from a container of its own on the network of the backend. */
async function ask(
  { composition, directory }: CheckContext,
  { host, port, network, request }: Backend,
  certificates?: string,
  volume?: string,
): Promise<{ readonly why: string; readonly answer: string }> {
  const program = join(directory, 'tools/verify-compose/ask.ts');
  const text = await podman([
    ...strangerArguments(composition.nameOf(network)),
    ...['--volume', `${program}:/ask.ts:ro`],
    ...(volume === undefined ? [] : ['--volume', `${composition.nameOf(volume)}:/credentials:ro`]),
    ...[
      '--entrypoint',
      'node',
      'binnacle/pki',
      '/ask.ts',
      composition.serviceMeantBy(host),
      String(port),
      request.toString('hex'),
    ],
    ...(certificates === undefined ? [] : [certificates]),
  ]);
  return JSON.parse(text.split('\n').at(-1) ?? '') as { why: string; answer: string }; // ask.ts prints JSON of this shape.
}

function strangerArguments(network: string): string[] {
  const limits = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=8192:8192'];
  return ['run', '--rm', '--no-healthcheck', ...limits, '--network', network];
}

async function certificateAloneOpensNothing({ composition }: CheckContext): Promise<string> {
  const { code, text } = await tryPodman([
    ...strangerArguments(composition.nameOf('state')),
    ...['--volume', `${composition.nameOf('etcd-storage')}:/credentials:ro`],
    ...[
      '--entrypoint',
      'etcdctl',
      'binnacle/etcd',
      `--endpoints=https://${composition.serviceMeantBy('etcd')}:2379`,
    ],
    ...['--cacert=/credentials/ca.crt', '--cert=/credentials/tls.crt', '--key=/credentials/tls.key'],
    ...['get', '--prefix', '/binnacle', '--limit=1'],
  ]);
  assert.notEqual(code, 0, `etcd gives its contents to a certificate alone: ${text}`);
  assert.match(text, /user name is empty|permission denied/);
  return '';
}

async function gatewayIsApart({ composition }: CheckContext): Promise<string> {
  const [gateway = ''] = composition.listContainers('gateway');
  for (const host of ['etcd', 'redis']) {
    const [container = ''] = composition.listContainers(host);
    const format = '{{range .NetworkSettings.Networks}}{{.IPAddress}} {{end}}';
    const [address = ''] = (await podman(['inspect', '--format', format, container])).trim().split(' ');
    const port = host === 'etcd' ? 2379 : 6379;
    for (const target of [composition.serviceMeantBy(host), address]) {
      const connect = `exec 3<>/dev/tcp/${target}/${port}`;
      const { code } = await tryPodman(['exec', gateway, 'timeout', '2', 'bash', '-c', connect]);
      assert.notEqual(code, 0, `a gateway reaches ${target}:${port}`);
    }
  }
  return '';
}

/** A service, the backend that refuses it, and the volume with the password that is made wrong. */
const wrongCredentials: readonly (readonly [service: string, backend: string, volume: string, at: string])[] =
  [
    ['storage', 'etcd', 'etcd-storage', '/etc/binnacle/etcd'],
    ['storage', 'kafka', 'kafka-storage', '/etc/binnacle/kafka'],
    ['gateway', 'kafka', 'kafka-gateway', '/etc/binnacle/kafka'],
    ['admission', 'kafka', 'kafka-admission', '/etc/binnacle/kafka'],
    ['token-review', 'redis', 'redis-token-review', '/etc/binnacle/redis'],
  ];

async function wrongCredentialsAreNamed(context: CheckContext): Promise<string> {
  for (const [service, backend, volume, at] of wrongCredentials) {
    const { composition } = context;
    const name = `${service}-refused-by-${backend}`;
    const script = `cp -r /right/. /wrong && printf '%064d\\n' 0 >/wrong/password`;
    const wrong = composition.nameOf(name);
    await tryPodman(['volume', 'rm', '--force', wrong]);
    await podman(['volume', 'create', wrong]);
    await podman([
      ...strangerArguments('none'),
      ...['--user', '0', '--volume', `${composition.nameOf(volume)}:/right:ro`],
      ...['--volume', `${wrong}:/wrong`, '--entrypoint', '/bin/sh', 'binnacle/pki', '-ec'],
      `${script} && chown -R 1000:1000 /wrong`,
    ]);
    const container = await composition.runVariant(service, name, original => ({
      ...withoutAliases(original),
      volumes: (original.volumes ?? []).map(each => (each.endsWith(`:${at}:ro`) ? `${name}:${at}:ro` : each)),
    }));
    try {
      await saysWhoRefuses(container, backend);
    } finally {
      await tryPodman(['rm', '--force', '--time', '1', container]);
      await tryPodman(['volume', 'rm', '--force', wrong]);
    }
  }
  return `${wrongCredentials.length} services`;
}

/** The service without network aliases: other containers must not find the one that is refused. */
function withoutAliases(service: ComposeService): ComposeService {
  const { networks = [] } = service;
  const names = Array.isArray(networks) ? networks : Object.keys(networks);
  return { ...service, networks: names };
}

async function saysWhoRefuses(container: string, backend: string): Promise<void> {
  const sentence = `${backend} refuses the credentials of this service`;
  let readyz = '';
  const asks = `fetch('http://127.0.0.1:9090/readyz?verbose').then(async r => console.log(r.status, await r.text()))`;
  await pollUntil(
    `${container} to name ${backend} in readyz`,
    async () => {
      readyz = (await tryPodman(['exec', container, 'node', '-e', asks])).text;
      return readyz.includes(sentence);
    },
    { timeoutMs: 60_000, intervalMs: 1000 },
  ).catch(error => {
    throw new Error(`${String(error)}\nreadyz says: ${readyz}`);
  });
  assert.match(readyz, /^500 /);
  const log = await tryPodman(['logs', container]);
  assert.ok(log.text.includes(sentence), `the log of ${container} does not name ${backend}`);
}
