import { pollUntil } from '@binnacle/backends';
import { freshCollection } from './drivers/collections.ts';
import type { Answer, ConformanceServer, WatchEvent } from './drivers/conformance-server.ts';

const polling = { intervalMs: 250, timeoutMs: 90_000 };

/** The first answer that is no longer 200, of a server with a short history: history moves on with writes. */
export async function whenExpired(server: ConformanceServer, path: string): Promise<Answer> {
  const busy = await freshCollection(server);
  let answer = await server.request('GET', path);
  await pollUntil(
    `the version of ${path} to expire`,
    async () => {
      await server.expect(201, 'POST', busy, { body: { metadata: { generateName: 'busy-' } } });
      answer = await server.request('GET', path);
      return answer.code !== 200;
    },
    polling,
  );
  return answer;
}

/** The events of a watch whose version has expired, once it has; up to then it is answered with other events. */
export async function eventsWhenExpired(
  server: ConformanceServer,
  path: string,
): Promise<readonly WatchEvent[]> {
  const busy = await freshCollection(server);
  let events: readonly WatchEvent[] = [];
  await pollUntil(
    `the version of ${path} to expire`,
    async () => {
      await server.expect(201, 'POST', busy, { body: { metadata: { generateName: 'busy-' } } });
      using stream = await server.watch(`${path}&timeoutSeconds=1`);
      await stream.ended;
      events = stream.events;
      return stream.code === 200 && events.some(event => event.type === 'ERROR');
    },
    polling,
  );
  return events;
}
