import assert from 'node:assert/strict';
import { pollUntil } from '@binnacle/backends';
import {
  assertRefused,
  createAll,
  freshCollection,
  listNames,
  readVersion,
  touch,
} from './drivers/collections.ts';
import type {
  Answer,
  ConformanceServer,
  ConformanceTests,
  WatchEvent,
} from './drivers/conformance-server.ts';

const polling = { intervalMs: 250, timeoutMs: 90_000 };
const names = ['a', 'b', 'c', 'd', 'e'];

/** Secrets of a server that keeps little history, and a version from before the last changes of them. */
interface OldVersion {
  readonly server: ConformanceServer;
  readonly secrets: string;
  readonly version: string;
}

/** Versions of this server expire while a test waits for it, and not before it looks. */
async function oldVersion(under: ConformanceServer): Promise<OldVersion> {
  const server = await under.variant({ 'history-window': '5s' });
  const secrets = await freshCollection(server);
  const version = await createAll(server, secrets, names);
  await touch(server, `${secrets}/e`, 'late');
  return { server, secrets, version };
}

/** Asks until there is an answer, while more is written: history is forgotten with time, when something follows it. */
async function whenForgotten<T>(server: ConformanceServer, ask: () => Promise<T | undefined>): Promise<T> {
  const busy = await freshCollection(server);
  let answer: T | undefined;
  const isAnswered = async () => {
    await server.expect(201, 'POST', busy, { body: { metadata: { generateName: 'busy-' } } });
    answer = await ask();
    return answer !== undefined;
  };
  await pollUntil('history to be forgotten', isAnswered, polling);
  return answer as T; // The polling ends with one.
}

/** The first answer to a GET that is no longer 200. */
function whenExpired(server: ConformanceServer, path: string): Promise<Answer> {
  return whenForgotten(server, async () => {
    const answer = await server.request('GET', path);
    return answer.code === 200 ? undefined : answer;
  });
}

/** The events of a watch whose version has expired, once it has; up to then it is answered with other events. */
function eventsWhenExpired(server: ConformanceServer, path: string): Promise<readonly WatchEvent[]> {
  return whenForgotten(server, async () => {
    using stream = await server.watch(`${path}&timeoutSeconds=1`);
    await stream.ended;
    const isExpired = stream.code === 200 && stream.events.some(event => event.type === 'ERROR');
    return isExpired ? stream.events : undefined;
  });
}

const readToken = (answer: Answer): string => encodeURIComponent(String(answer.at('metadata', 'continue')));

/**
 * 1, "List in chunks", "Watch", "Resource version semantics" and "Errors": versions that are forgotten. These tests come last, for
 * a form may forget its history for them.
 */
export const expiredVersionTests: ConformanceTests = {
  async '1/List in chunks/4 an expired token is answered with 410, and a way to go on'(under) {
    const { server, secrets } = await oldVersion(under);
    const first = await server.expect(200, 'GET', `${secrets}?limit=2`);
    await touch(server, `${secrets}/e`, 'later');
    const expired = await whenExpired(server, `${secrets}?limit=2&continue=${readToken(first)}`);
    assertRefused(expired, 410, 'Expired');
    // Its own token goes on with what there is now.
    const rest = await server.expect(200, 'GET', `${secrets}?limit=2&continue=${readToken(expired)}`);
    assert.deepEqual(listNames(rest), ['c', 'd']);
    assert.ok(Number(readVersion(rest)) > Number(readVersion(first)));
    const anew = await server.expect(200, 'GET', `${secrets}?limit=2`);
    const next = await server.expect(200, 'GET', `${secrets}?limit=3&continue=${readToken(anew)}`);
    assert.deepEqual([...listNames(anew), ...listNames(next)], names);
    assert.deepEqual(listNames(await server.expect(200, 'GET', secrets)), names);
  },

  async '1/Watch/3 and then no longer'(under) {
    const { server, secrets, version } = await oldVersion(under);
    const events = await eventsWhenExpired(server, `${secrets}?watch=1&resourceVersion=${version}`);
    assert.deepEqual(
      events.map(event => event.type),
      ['ERROR'],
    );
  },

  async '1/Watch/4 the stream tells 410 and ends; a new list leads on'(under) {
    const { server, secrets, version } = await oldVersion(under);
    const events = await eventsWhenExpired(server, `${secrets}?watch=1&resourceVersion=${version}`);
    const [event] = events;
    assert.equal(events.length, 1);
    assert.deepEqual(
      [event?.at('kind'), event?.at('status'), event?.at('code'), event?.at('reason')],
      ['Status', 'Failure', 410, 'Expired'],
    );
    const list = await server.expect(200, 'GET', secrets);
    using stream = await server.watch(`${secrets}?watch=1&resourceVersion=${readVersion(list)}`);
    const next = await touch(server, `${secrets}/a`, 'now');
    const [change] = await stream.heard(1);
    assert.deepEqual(
      [change?.type, change?.at('metadata', 'name'), change?.at('metadata', 'resourceVersion')],
      ['MODIFIED', 'a', next],
    );
  },

  async '1/Resource version semantics/Exact a version that is gone is 410'(under) {
    const { server, secrets, version } = await oldVersion(under);
    const path = `${secrets}?resourceVersion=${version}&resourceVersionMatch=Exact`;
    assertRefused(await whenExpired(server, path), 410, 'Expired');
  },

  async '1/Resource version semantics/c a later chunk is 410 when its version is gone'(under) {
    const { server, secrets, version } = await oldVersion(under);
    const query = `resourceVersion=${version}&resourceVersionMatch=NotOlderThan&limit=1`;
    const first = await server.expect(200, 'GET', `${secrets}?${query}`);
    const expired = await whenExpired(server, `${secrets}?limit=1&continue=${readToken(first)}`);
    assertRefused(expired, 410, 'Expired');
  },

  async '1/Resource version semantics/e a watch, a list and a chunk of long ago are 410'(under) {
    const { server, secrets, version } = await oldVersion(under);
    const exact = `${secrets}?resourceVersion=${version}&limit=10`;
    assertRefused(await whenExpired(server, exact), 410, 'Expired');
    const [event] = await eventsWhenExpired(server, `${secrets}?watch=1&resourceVersion=${version}`);
    assert.deepEqual([event?.type, event?.at('code')], ['ERROR', 410]);
  },

  async '1/Errors/410a a watch from a version that is forgotten'(under) {
    const { server, secrets, version } = await oldVersion(under);
    const path = `${secrets}?watch=1&resourceVersion=${version}&timeoutSeconds=1`;
    const status = await whenForgotten(server, async () => {
      using watch = await server.watch(path);
      if (watch.code !== 200) return (await server.request('GET', path)).body;
      await watch.ended;
      const [event] = watch.events;
      return event?.type === 'ERROR' ? event.object : undefined;
    });
    assert.deepEqual([status['kind'], status['code'], status['reason']], ['Status', 410, 'Expired']);
  },

  async '1/Errors/410b a continue token whose snapshot is forgotten'(under) {
    const { server, secrets } = await oldVersion(under);
    const first = await server.expect(200, 'GET', `${secrets}?limit=1`);
    await touch(server, `${secrets}/c`, 'again');
    assertRefused(
      await whenExpired(server, `${secrets}?limit=1&continue=${readToken(first)}`),
      410,
      'Expired',
    );
  },

  async '1/Errors/410c an exact version that is forgotten'(under) {
    const { server, secrets, version } = await oldVersion(under);
    const exact = `${secrets}?resourceVersion=${version}&resourceVersionMatch=Exact`;
    const first = await server.request('GET', exact);
    if (first.code === 200) assert.equal(readVersion(first), version);
    assertRefused(await whenExpired(server, exact), 410, 'Expired');
  },

  async '1/Errors/410d a limit with a version that is forgotten, which the cache cannot answer'(under) {
    const { server, secrets, version } = await oldVersion(under);
    const limited = `${secrets}?limit=1&resourceVersion=${version}`;
    assertRefused(await whenExpired(server, limited), 410, 'Expired');
    const notOlder = `${secrets}?resourceVersion=${version}&resourceVersionMatch=NotOlderThan`;
    const fresh = await server.expect(200, 'GET', notOlder);
    assert.ok(Number(readVersion(fresh)) > Number(version), 'without a limit the cache has something newer');
  },
};
