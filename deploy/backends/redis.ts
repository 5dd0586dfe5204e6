import { type BackendOptions, type BackendServer, startBackend } from './backend-server.ts';
import { requireServerProgram } from './locations.ts';
import { pollUntil } from './poll-until.ts';
import { exchangeBytes } from './tcp-exchange.ts';

/** How a Redis server is started. */
export interface RedisOptions extends BackendOptions {
  /** Appended to Redis's own arguments. */
  readonly arguments?: readonly string[];
}

/** A running Redis server. */
export interface RedisServer extends BackendServer {
  /** `redis://host:port`. */
  readonly url: string;
}

/** Starts Redis without persistence (a restart finds it empty) and waits until it answers PING. */
export async function startRedis(options: RedisOptions = {}): Promise<RedisServer> {
  const program = requireServerProgram('redis', 'redis-server');
  const server = await startBackend(
    {
      name: 'redis',
      extraPorts: 0,
      async prepare([port], dataDirectory) {
        return {
          command: program.file,
          arguments: [
            ...['--port', String(port), '--bind', '127.0.0.1', '--dir', dataDirectory],
            ...['--save', '', '--appendonly', 'no', '--daemonize', 'no'],
            ...(options.arguments ?? []),
          ],
          environment: program.environment,
          ready: signal => pollUntil('Redis to answer', question => answersPing(port!, question), { signal }),
        };
      },
    },
    options,
  );
  return Object.defineProperties(server, {
    url: { value: `redis://${server.address}`, enumerable: true },
  }) as RedisServer; // defineProperties keeps the getters, which a spread would read once.
}

async function answersPing(port: number, signal: AbortSignal): Promise<boolean> {
  const answer = await exchangeBytes({
    port,
    request: Buffer.from('PING\r\n'),
    isComplete: received => received.includes('\r\n'),
    signal,
  });
  return answer.toString().startsWith('+PONG');
}
