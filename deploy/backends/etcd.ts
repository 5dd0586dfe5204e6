import { request } from 'node:https';
import { join } from 'node:path';
import {
  type BackendOptions,
  type BackendServer,
  type ClusterMember,
  startBackend,
} from './backend-server.ts';
import { type EtcdUser, ensureEtcdUsers } from './etcd-users.ts';
import { requireServerProgram } from './locations.ts';
import { pollUntil } from './poll-until.ts';
import { readServerTls, type ServerTls } from './server-tls.ts';

/** The security of an etcd: TLS for clients and peers, client certificates, users. */
interface EtcdSecurity {
  readonly tls: ServerTls;
  /** Client certificate whose common name is `root`: the users are set up with it. */
  readonly administrator: ServerTls;
  readonly users: readonly EtcdUser[];
}

/** The size at which an etcd that is started here stops accepting writes, unless it is told another. */
export const etcdQuotaBytes = 512 * 1024 * 1024;

/** Options of an etcd server. */
export interface EtcdOptions extends BackendOptions {
  /** Appended to etcd's own arguments. */
  readonly arguments?: readonly string[];
  /** The size at which etcd stops accepting writes; 512 MiB by default. */
  readonly quotaBytes?: number;
  /** Without it etcd is plaintext, for every client that reaches it. */
  readonly security?: EtcdSecurity;
  /** Makes the server one of several, which are started at the same time; it is ready when most of them are there. */
  readonly member?: ClusterMember;
}

/** A running etcd server: the whole of a cluster, or one of its members. */
export interface EtcdServer extends BackendServer {
  /** `http://host:port` for clients; `https://` when it is locked. */
  readonly endpoint: string;
}

/**
 * The machine's processors belong to the services: one processor at a time, so that the threads of Go do not wake each
 * other, and garbage is collected once there is three times as much of it as of data. A fifth less processor time a write.
 */
const goSettings = { GOMAXPROCS: '1', GOGC: '300' };

/**
 * Starts etcd as one process and waits until it reports good health. Watches are told of progress every
 * second. `restart` brings it back with the data that it had. A locked etcd never listens in plaintext, and is not ready
 * before its users are set up and authentication is on.
 */
export async function startEtcd(options: EtcdOptions = {}): Promise<EtcdServer> {
  const program = requireServerProgram('etcd', 'etcd');
  const { security, member } = options;
  const scheme = security === undefined ? 'http' : 'https';
  const server = await startBackend(
    {
      name: 'etcd',
      extraPorts: member === undefined ? 1 : 0,
      async prepare(ports, dataDirectory) {
        const [client, peer = ''] = [...ports, ...(member === undefined ? [] : [member.peerPort])].map(
          port => `${scheme}://127.0.0.1:${port}`,
        );
        const endpoint = endpointAt(ports[0]!, security !== undefined); // The endpoint for clients.
        return {
          command: program.file,
          arguments: [
            ...['--data-dir', join(dataDirectory, 'etcd'), '--listen-peer-urls', peer],
            ...['--listen-client-urls', client!, '--advertise-client-urls', client!],
            ...membershipArguments(peer, scheme, member),
            ...['--quota-backend-bytes', String(options.quotaBytes ?? etcdQuotaBytes)],
            // etcd holds in memory what was written since its last snapshot, by default for 100,000 writes:
            // after 60,000 of 4 KB that is 1.0 GB, with this 360 MB at most.
            '--snapshot-count=10000',
            '--experimental-watch-progress-notify-interval=1s',
            ...['--logger', 'zap', '--log-level', 'warn'],
            ...(security === undefined ? [] : tlsArguments(security.tls)),
            ...(options.arguments ?? []),
          ],
          // Debian builds etcd for architectures that its authors call unsupported, and it asks to say so.
          environment: {
            ...goSettings,
            ...program.environment,
            ...(process.arch === 'x64' ? {} : { ETCD_UNSUPPORTED_ARCH: process.arch }),
          },
          async ready(signal) {
            const isUp = (question: AbortSignal) => isHealthy(client!, question, security?.tls);
            await pollUntil('etcd to be healthy', isUp, { signal });
            if (security !== undefined && (member?.number ?? 1) === 1)
              await ensureEtcdUsers({ ...security, endpoint });
          },
        };
      },
    },
    options,
  );
  return Object.defineProperties(server, {
    endpoint: { value: endpointAt(server.port, security !== undefined), enumerable: true },
  }) as EtcdServer; // defineProperties keeps the getters, which a spread would read once.
}

function membershipArguments(peer: string, scheme: string, member: ClusterMember | undefined): string[] {
  const urls = member?.peers.map(port => `${scheme}://127.0.0.1:${port}`);
  const own = member && urls?.[member.number - 1];
  if (member === undefined || urls === undefined || own === undefined)
    return [
      '--name',
      'default',
      '--initial-advertise-peer-urls',
      peer,
      '--initial-cluster',
      `default=${peer}`,
    ];
  const cluster = urls.map((url, index) => `member-${index + 1}=${url}`);
  return [
    ...['--name', `member-${member.number}`, '--initial-advertise-peer-urls', own],
    ...['--initial-cluster', cluster.join(',')],
  ];
}

/** Over TLS by a name: the client names its server at the start of a connection, which an address is no name for. */
function endpointAt(port: number, isTls: boolean): string {
  return isTls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`;
}

function tlsArguments({ caFile, certFile, keyFile }: ServerTls): string[] {
  return [
    ...['--client-cert-auth', '--trusted-ca-file', caFile, '--cert-file', certFile, '--key-file', keyFile],
    ...['--peer-client-cert-auth', '--peer-trusted-ca-file', caFile, '--peer-cert-allowed-cn', 'etcd'],
    ...['--peer-cert-file', certFile, '--peer-key-file', keyFile],
    // Calls as JSON over HTTP come with etcd's own certificate instead of the caller's; no service makes such calls.
    '--enable-grpc-gateway=false',
  ];
}

async function isHealthy(url: string, signal: AbortSignal, tls: ServerTls | undefined): Promise<boolean> {
  const text =
    tls === undefined
      ? await (await fetch(`${url}/health`, { signal })).text()
      : await getOverTls(`${url}/health`, signal, tls);
  return (JSON.parse(text) as { health?: unknown } | null)?.health === 'true';
}

function getOverTls(url: string, signal: AbortSignal, tls: ServerTls): Promise<string> {
  return new Promise((resolve, reject) => {
    const question = request(url, { ...readServerTls(tls), agent: false, signal }, async response => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve(Buffer.concat(chunks).toString());
    });
    question.on('error', reject);
    question.end();
  });
}
