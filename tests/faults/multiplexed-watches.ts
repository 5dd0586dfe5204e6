import { type ApiClient, type ClientConfiguration, readWatch } from '@binnacle/client';
import { createHttp2Requests } from '../journeys/http2-requests.ts';

/** What a resuming watch needs of a client. */
export type WatchClient = Pick<ApiClient, 'request' | 'watch'>;

/**
 * A client whose watches share one connection of HTTP/2, as those of a Go program do; all else goes through another client.
 * A connection that ended is replaced when the next watch begins.
 */
export function createMultiplexedWatches(
  configuration: ClientConfiguration,
  other: ApiClient,
): WatchClient & Disposable {
  const [server = ''] = configuration.servers;
  const { certificateAuthority: ca, clientCertificate: cert, clientKey: key } = configuration;
  const connection = createHttp2Requests(server, { ca, cert, key });
  return {
    request: options => other.request(options),
    async *watch(path, signal) {
      const headers = { accept: 'application/json', 'user-agent': 'faults' };
      try {
        const answer = await connection.send({ method: 'GET', path, headers, body: undefined });
        if (answer.statusCode !== 200) throw new RangeError(`${path}: ${answer.statusCode}`);
        signal.addEventListener('abort', () => answer.destroy(), { once: true });
        yield* readWatch(answer, signal);
      } catch (cause) {
        if (cause instanceof RangeError || cause instanceof SyntaxError) throw cause;
        throw new Error(`cannot reach ${server}`, { cause });
      }
    },
    [Symbol.dispose]: () => connection[Symbol.dispose](),
  };
}
