import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BackendOptions, type BackendServer, startBackend } from './backend-server.ts';
import { requireServerProgram } from './locations.ts';
import { pollUntil } from './poll-until.ts';
import { type RedisUser, redisAccessRules } from './redis-access-rules.ts';
import type { ServerTls } from './server-tls.ts';
import { exchangeBytes } from './tcp-exchange.ts';

/** The security of a Redis: TLS alone, client certificates, users. */
interface RedisSecurity {
  readonly tls: ServerTls;
  readonly users: readonly RedisUser[];
}

/** Options of a Redis server. */
export interface RedisOptions extends BackendOptions {
  /** Appended to Redis's own arguments. */
  readonly arguments?: readonly string[];
  /** Without it Redis is plaintext, for every client that reaches it. */
  readonly security?: RedisSecurity;
}

/** A running Redis server. */
export interface RedisServer extends BackendServer {
  /** `redis://host:port`; `rediss://` when it is locked. */
  readonly url: string;
}

/**
 * Starts Redis without persistence (a restart finds it empty) and waits until it answers PING. A locked Redis has no
 * plaintext port, and its users from the first moment.
 */
export async function startRedis(options: RedisOptions = {}): Promise<RedisServer> {
  const program = requireServerProgram('redis', 'redis-server');
  const { security } = options;
  const server = await startBackend(
    {
      name: 'redis',
      extraPorts: 0,
      async prepare([port], dataDirectory) {
        return {
          command: program.file,
          arguments: [
            ...['--bind', '127.0.0.1', '--dir', dataDirectory],
            ...(security === undefined
              ? ['--port', String(port)]
              : lockArguments(port!, dataDirectory, security)),
            ...['--save', '', '--appendonly', 'no', '--daemonize', 'no'],
            ...(options.arguments ?? []),
          ],
          environment: program.environment,
          ready: signal =>
            pollUntil('Redis to answer', question => answersPing(port!, question, security?.tls), { signal }),
        };
      },
    },
    options,
  );
  return Object.defineProperties(server, {
    url: { value: `${security === undefined ? 'redis' : 'rediss'}://${server.address}`, enumerable: true },
  }) as RedisServer; // defineProperties keeps the getters, which a spread would read once.
}

function lockArguments(port: number, dataDirectory: string, { tls, users }: RedisSecurity): string[] {
  const rules = join(dataDirectory, 'users.acl');
  writeFileSync(rules, redisAccessRules(users), { mode: 0o600 });
  return [
    ...['--port', '0', '--tls-port', String(port), '--tls-auth-clients', 'yes', '--aclfile', rules],
    ...['--tls-ca-cert-file', tls.caFile, '--tls-cert-file', tls.certFile, '--tls-key-file', tls.keyFile],
  ];
}

async function answersPing(port: number, signal: AbortSignal, tls: ServerTls | undefined): Promise<boolean> {
  const answer = await exchangeBytes({
    port,
    request: Buffer.from('PING\r\n'),
    isComplete: received => received.includes('\r\n'),
    signal,
    ...(tls === undefined ? {} : { tls }),
  });
  // A locked Redis that serves demands authentication.
  return answer.toString().startsWith(tls === undefined ? '+PONG' : '-NOAUTH');
}
