import { join } from 'node:path';
import { type BackendOptions, type BackendServer, startBackend } from './backend-server.ts';
import { requireServerProgram } from './locations.ts';
import { pollUntil } from './poll-until.ts';

/** How an etcd server is started. */
export interface EtcdOptions extends BackendOptions {
  /** Appended to etcd's own arguments. */
  readonly arguments?: readonly string[];
  /** The size at which etcd stops accepting writes; 512 MiB by default. */
  readonly quotaBytes?: number;
}

/** A running etcd server of one member. */
export interface EtcdServer extends BackendServer {
  /** `http://host:port` for clients. */
  readonly endpoint: string;
}

/**
 * Starts etcd as one process and waits until it reports good health. Watches are told of progress every
 * second. `restart` brings it back with the data that it had.
 */
export async function startEtcd(options: EtcdOptions = {}): Promise<EtcdServer> {
  const program = requireServerProgram('etcd', 'etcd');
  const server = await startBackend(
    {
      name: 'etcd',
      extraPorts: 1,
      async prepare(ports, dataDirectory) {
        const [client, peer] = ports.map(port => `http://127.0.0.1:${port}`);
        return {
          command: program.file,
          arguments: [
            ...['--name', 'default', '--data-dir', join(dataDirectory, 'etcd')],
            ...['--listen-client-urls', client!, '--advertise-client-urls', client!],
            ...['--listen-peer-urls', peer!, '--initial-advertise-peer-urls', peer!],
            ...['--initial-cluster', `default=${peer}`],
            ...['--quota-backend-bytes', String(options.quotaBytes ?? 512 * 1024 * 1024)],
            '--experimental-watch-progress-notify-interval=1s',
            ...['--logger', 'zap', '--log-level', 'warn'],
            ...(options.arguments ?? []),
          ],
          // Debian builds etcd for architectures that its authors call unsupported, and it asks to say so.
          environment: {
            ...program.environment,
            ...(process.arch === 'x64' ? {} : { ETCD_UNSUPPORTED_ARCH: process.arch }),
          },
          ready: signal =>
            pollUntil('etcd to be healthy', question => isHealthy(client!, question), { signal }),
        };
      },
    },
    options,
  );
  return Object.defineProperties(server, {
    endpoint: { value: `http://${server.address}`, enumerable: true },
  }) as EtcdServer; // defineProperties keeps the getters, which a spread would read once.
}

async function isHealthy(url: string, signal: AbortSignal): Promise<boolean> {
  const response = await fetch(`${url}/health`, { signal });
  const body: unknown = await response.json();
  return (body as { health?: unknown } | null)?.health === 'true';
}
