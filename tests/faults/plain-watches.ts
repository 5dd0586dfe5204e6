import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { ApiClient, ClientConfiguration } from '@binnacle/client';
import { readWatch } from '@binnacle/client/testing';

/** The parts of a client that a resuming watch needs. */
export type WatchClient = Pick<ApiClient, 'request' | 'watch'>;

/**
 * A client with a bearer token whose watches have a connection of HTTP/1.1 each, as in many languages; all else goes
 * through another client.
 */
export function createPlainWatches(configuration: ClientConfiguration, other: ApiClient): WatchClient {
  const [server = ''] = configuration.servers;
  const { certificateAuthority: ca, token } = configuration;
  const agent = new Agent({ keepAlive: false, secureContext: createSecureContext({ ca }) });
  const headers = { accept: 'application/json', 'user-agent': 'faults', authorization: `Bearer ${token}` };
  const open = (path: string, signal: AbortSignal): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const asked = request(new URL(path, server), { agent, headers, signal });
      asked.on('response', resolve);
      asked.on('error', cause => reject(new Error(`cannot reach ${server}`, { cause })));
      asked.end();
    });
  return {
    request: options => other.request(options),
    async *watch(path, signal) {
      const answer = await open(path, signal);
      if (answer.statusCode !== 200) throw new RangeError(`${path}: ${answer.statusCode}`);
      yield* readWatch(answer, signal);
    },
  };
}
