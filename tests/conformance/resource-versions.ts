import assert from 'node:assert/strict';
import { until } from '../journeys/api-server.ts';
import {
  assertRefused,
  createAll,
  freshCollection,
  listCauses,
  listNames,
  readVersion,
  touch,
} from './drivers/collections.ts';
import type { Answer, ConformanceServer, ConformanceTests } from './drivers/conformance-server.ts';

/** A collection that has changed since: "a" and "b" at the version, "c" besides and no "a" now. */
interface Changed {
  readonly secrets: string;
  readonly version: string;
}

async function changed(server: ConformanceServer): Promise<Changed> {
  const secrets = await freshCollection(server);
  const version = await createAll(server, secrets, ['a', 'b']);
  await createAll(server, secrets, ['c']);
  await server.expect(200, 'DELETE', `${secrets}/a`);
  return { secrets, version };
}

const then = ['a', 'b'];
const now = ['b', 'c'];

/** Lists at every gateway. */
const listAll = (server: ConformanceServer, path: string): Promise<Answer[]> =>
  Promise.all([...server.gateways.keys()].map(gateway => server.expect(200, 'GET', path, { gateway })));

const readToken = (answer: Answer): string => encodeURIComponent(String(answer.at('metadata', 'continue')));

async function showsMostRecent(server: ConformanceServer, query: string): Promise<void> {
  const { secrets, version } = await changed(server);
  for (const list of await listAll(server, `${secrets}?${query}`)) {
    assert.deepEqual(listNames(list), now);
    assert.ok(Number(readVersion(list)) > Number(version));
  }
}

/** Any state will do, and it is the freshest before long. */
async function showsAny(server: ConformanceServer, query: string): Promise<void> {
  const { secrets } = await changed(server);
  for (const gateway of server.gateways.keys()) {
    await until('the freshest state', async () => {
      const list = await server.expect(200, 'GET', `${secrets}?${query}`, { gateway });
      assert.match(readVersion(list), /^[1-9][0-9]*$/);
      return JSON.stringify(listNames(list)) === JSON.stringify(now);
    });
  }
}

async function showsNotOlder(server: ConformanceServer, query: string): Promise<void> {
  const secrets = await freshCollection(server);
  for (const name of ['a', 'b', 'c', 'd']) {
    const version = await createAll(server, secrets, [name]);
    for (const list of await listAll(server, `${secrets}?resourceVersion=${version}${query}`)) {
      assert.ok(listNames(list).includes(name), `${name} at ${version}`);
      assert.ok(Number(readVersion(list)) >= Number(version));
    }
  }
}

async function showsExact(server: ConformanceServer, query: string): Promise<void> {
  const { secrets, version } = await changed(server);
  for (const list of await listAll(server, `${secrets}?resourceVersion=${version}${query}`)) {
    assert.deepEqual(listNames(list), then);
    assert.equal(readVersion(list), version);
  }
}

async function isInvalid(server: ConformanceServer, query: string): Promise<void> {
  const refused = await server.request('GET', `${await freshCollection(server)}?${query}`);
  assertRefused(refused, 422, 'Invalid');
  assert.deepEqual(listCauses(refused), ['resourceVersionMatch FieldValueForbidden']);
}

/** The second chunk of a list of a, b and c whose later changes it must not show. */
async function showsToken(server: ConformanceServer, query: string): Promise<void> {
  const secrets = await freshCollection(server);
  await createAll(server, secrets, ['a', 'b', 'c']);
  const first = await server.expect(200, 'GET', `${secrets}?limit=1`);
  await server.expect(200, 'DELETE', `${secrets}/b`);
  for (const next of await listAll(server, `${secrets}?limit=1&continue=${readToken(first)}${query}`)) {
    assert.deepEqual(listNames(next), ['b']);
    assert.equal(readVersion(next), readVersion(first));
  }
}

const getTests: ConformanceTests = {
  '1/get/unset every gateway shows what was acknowledged before': async server => {
    const secrets = await freshCollection(server);
    await createAll(server, secrets, ['a']);
    for (let i = 0; i < 20; i++) {
      const version = await touch(server, `${secrets}/a`, String(i));
      for (const gateway of server.gateways.keys())
        assert.equal(readVersion(await server.expect(200, 'GET', `${secrets}/a`, { gateway })), version);
    }
    await server.expect(200, 'DELETE', `${secrets}/a`);
    for (const gateway of server.gateways.keys())
      assertRefused(await server.request('GET', `${secrets}/a`, { gateway }), 404, 'NotFound');
  },
  '1/get/0 some state of the object, and the freshest before long': async server => {
    const secrets = await freshCollection(server);
    const first = await createAll(server, secrets, ['a']);
    const last = await touch(server, `${secrets}/a`, '1');
    for (const gateway of server.gateways.keys()) {
      await until('the freshest state', async () => {
        const got = await server.request('GET', `${secrets}/a?resourceVersion=0`, { gateway });
        if (got.code === 404) return false;
        assert.ok([first, last].includes(readVersion(got)));
        return readVersion(got) === last;
      });
    }
  },
  '1/get/non-zero never older than the version': async server => {
    const secrets = await freshCollection(server);
    const first = await createAll(server, secrets, ['a']);
    for (let i = 0; i < 10; i++) {
      const version = await touch(server, `${secrets}/a`, String(i));
      for (const gateway of server.gateways.keys()) {
        const path = `${secrets}/a?resourceVersion=${version}`;
        const got = await server.expect(200, 'GET', path, { gateway });
        assert.ok(Number(readVersion(got)) >= Number(version));
      }
    }
    const old = await server.expect(200, 'GET', `${secrets}/a?resourceVersion=${first}`);
    assert.ok(Number(readVersion(old)) >= Number(first));
  },
};

const listTests: ConformanceTests = {
  '1/list/unset,none,unset the latest state': server => showsMostRecent(server, ''),
  '1/list/unset,none,0 any state': server => showsAny(server, 'resourceVersion=0'),
  '1/list/unset,none,non-zero at least that version': server => showsNotOlder(server, ''),
  '1/list/unset,limit,unset the latest state': server => showsMostRecent(server, 'limit=10'),
  '1/list/unset,limit,0 any state': server => showsAny(server, 'resourceVersion=0&limit=10'),
  '1/list/unset,limit,non-zero exactly that version': server => showsExact(server, '&limit=10'),
  '1/list/unset,limit,non-zero in chunks of exactly that version': async server => {
    const { secrets, version } = await changed(server);
    const first = await server.expect(200, 'GET', `${secrets}?resourceVersion=${version}&limit=1`);
    const last = await server.expect(200, 'GET', `${secrets}?limit=1&continue=${readToken(first)}`);
    assert.deepEqual([listNames(first), listNames(last)], [['a'], ['b']]);
    assert.deepEqual([readVersion(first), readVersion(last)], [version, version]);
  },
  '1/list/unset,continue,unset the version of the token': server => showsToken(server, ''),
  '1/list/unset,continue,0 the version of the token': server => showsToken(server, '&resourceVersion=0'),
  '1/list/unset,continue,non-zero 400': async server => {
    const { secrets, version } = await changed(server);
    const first = await server.expect(200, 'GET', `${secrets}?limit=1`);
    const query = `limit=1&continue=${readToken(first)}&resourceVersion=${version}`;
    assertRefused(await server.request('GET', `${secrets}?${query}`), 400, 'BadRequest');
  },
  '1/list/Exact,none,unset 422': server => isInvalid(server, 'resourceVersionMatch=Exact'),
  '1/list/Exact,none,0 422': server => isInvalid(server, 'resourceVersionMatch=Exact&resourceVersion=0'),
  '1/list/Exact,none,non-zero exactly that version': server =>
    showsExact(server, '&resourceVersionMatch=Exact'),
  '1/list/Exact,limit,unset 422': server => isInvalid(server, 'resourceVersionMatch=Exact&limit=1'),
  '1/list/Exact,limit,0 422': server =>
    isInvalid(server, 'resourceVersionMatch=Exact&resourceVersion=0&limit=1'),
  '1/list/Exact,limit,non-zero exactly that version': server =>
    showsExact(server, '&resourceVersionMatch=Exact&limit=10'),
  '1/list/NotOlderThan,none,unset 422': server => isInvalid(server, 'resourceVersionMatch=NotOlderThan'),
  '1/list/NotOlderThan,none,0 any state': server =>
    showsAny(server, 'resourceVersion=0&resourceVersionMatch=NotOlderThan'),
  '1/list/NotOlderThan,none,non-zero at least that version': server =>
    showsNotOlder(server, '&resourceVersionMatch=NotOlderThan'),
  '1/list/NotOlderThan,limit,unset 422': server =>
    isInvalid(server, 'resourceVersionMatch=NotOlderThan&limit=1'),
  '1/list/NotOlderThan,limit,0 any state': server =>
    showsAny(server, 'resourceVersion=0&resourceVersionMatch=NotOlderThan&limit=10'),
  '1/list/NotOlderThan,limit,non-zero at least that version': server =>
    showsNotOlder(server, '&resourceVersionMatch=NotOlderThan&limit=10'),
};

const tooLarge = '999999999';

/** Checks the answer to a version that the server has not come to. */
function assertTooLarge(answer: Answer): void {
  assertRefused(answer, 504, 'Timeout');
  assert.match(String(answer.at('message')), /Too large resource version/);
  assert.match(String(answer.headers['retry-after']), /^[1-9][0-9]*$/);
  assert.equal(String(answer.at('details', 'retryAfterSeconds')), answer.headers['retry-after']);
  assert.equal(answer.at('details', 'causes', 0, 'reason'), 'ResourceVersionTooLarge');
}

const meaningTests: ConformanceTests = {
  '1/Resource version semantics/a either match without a version is invalid': async server => {
    for (const match of ['Exact', 'NotOlderThan']) await isInvalid(server, `resourceVersionMatch=${match}`);
  },
  '1/Resource version semantics/b without a match the version is not older': server =>
    showsNotOlder(server, ''),
  '1/Resource version semantics/Any versions of one gateway never go back': async server => {
    const secrets = await freshCollection(server);
    await createAll(server, secrets, ['a']);
    for (const gateway of server.gateways.keys()) {
      let last = 0;
      for (let i = 0; i < 10; i++) {
        await touch(server, `${secrets}/a`, `${gateway}-${i}`);
        const list = await server.expect(200, 'GET', `${secrets}?resourceVersion=0`, { gateway });
        assert.ok(Number(readVersion(list)) >= last);
        last = Number(readVersion(list));
      }
    }
  },
  '1/Resource version semantics/Most Recent every gateway shows each write as soon as it is acknowledged':
    async server => {
      const secrets = await freshCollection(server);
      for (let i = 0; i < 20; i++) {
        const version = await createAll(server, secrets, [`s-${i}`]);
        for (const list of await listAll(server, secrets)) {
          assert.ok(listNames(list).includes(`s-${i}`));
          assert.ok(Number(readVersion(list)) >= Number(version));
        }
      }
    },
  '1/Resource version semantics/Not Older Than the version of another type is answered at once':
    async server => {
      const secrets = await freshCollection(server);
      await createAll(server, secrets, ['a']);
      const version = await createAll(server, secrets.replace(/secrets$/, 'configmaps'), ['other']);
      const query = `resourceVersion=${version}&resourceVersionMatch=NotOlderThan`;
      for (const list of await listAll(server, `${secrets}?${query}`)) {
        assert.deepEqual(listNames(list), ['a']);
        assert.ok(Number(readVersion(list)) >= Number(version));
      }
    },
  '1/Resource version semantics/Continue Token, Exact the token alone carries the version': async server => {
    const { secrets, version } = await changed(server);
    const query = `resourceVersion=${version}&resourceVersionMatch=Exact&limit=1`;
    const first = await server.expect(200, 'GET', `${secrets}?${query}`);
    const rest = await server.expect(200, 'GET', `${secrets}?continue=${readToken(first)}`);
    assert.deepEqual([listNames(first), listNames(rest)], [['a'], ['b']]);
    assert.equal(readVersion(rest), version);
  },
  '1/Resource version semantics/d the version of the collection is the one that was asked for': server =>
    showsExact(server, '&resourceVersionMatch=Exact'),
  '1/Resource version semantics/f get and lists are answered 504': async server => {
    const secrets = await freshCollection(server);
    await createAll(server, secrets, ['a']);
    const paths = [
      `${secrets}/a?resourceVersion=${tooLarge}`,
      `${secrets}?resourceVersion=${tooLarge}`,
      `${secrets}?resourceVersion=${tooLarge}&resourceVersionMatch=NotOlderThan`,
    ];
    const answers = await Promise.all(paths.map(path => server.request('GET', path)));
    for (const answer of answers) assertTooLarge(answer);
  },
  '1/Resource version semantics/f a version that comes in time is waited for': async server => {
    const secrets = await freshCollection(server);
    const version = await createAll(server, secrets, ['a']);
    const next = Number(version) + 1;
    const waiting = server.request('GET', `${secrets}?resourceVersion=${next}`);
    await touch(server, `${secrets}/a`, '1');
    const list = await waiting;
    assert.equal(list.code, 200, list.text);
    assert.ok(Number(readVersion(list)) >= next);
  },
  '1/Resource version semantics/g a watch is silent and ends with its time': async server => {
    const secrets = await freshCollection(server);
    const version = await createAll(server, secrets, ['a']);
    const path = `${secrets}?watch=1&resourceVersion=${Number(version) + 100_000}&timeoutSeconds=1`;
    using stream = await server.watch(path);
    await touch(server, `${secrets}/a`, '1');
    await stream.ended;
    assert.deepEqual([stream.code, stream.events], [200, []]);
  },
};

/** The types and names of the events that come first, and then of the next change. */
async function synthetic(server: ConformanceServer, query: string): Promise<void> {
  const secrets = await freshCollection(server);
  await createAll(server, secrets, ['a', 'b', 'c']);
  await touch(server, `${secrets}/a`, '1');
  await server.expect(200, 'DELETE', `${secrets}/b`);
  for (const gateway of server.gateways.keys()) {
    // Any state may be an older one; the gateway is asked once it shows the present one.
    await until('the gateway has come to it', async () => {
      const list = await server.expect(200, 'GET', `${secrets}?resourceVersion=0`, { gateway });
      return listNames(list).join() === 'a,c';
    });
    using stream = await server.watch(`${secrets}?watch=1${query}`, { gateway });
    const first = await stream.heard(2);
    assert.deepEqual(first.map(event => [event.type, event.at('metadata', 'name')]).sort(), [
      ['ADDED', 'a'],
      ['ADDED', 'c'],
    ]);
    const next = await touch(server, `${secrets}/c`, `at-${gateway}`);
    const [, , event] = await stream.heard(3);
    assert.deepEqual([event?.type, event?.at('metadata', 'resourceVersion')], ['MODIFIED', next]);
  }
}

const watchTests: ConformanceTests = {
  '1/watch/unset what there is, then what happens': server => synthetic(server, ''),
  '1/watch/unset what was acknowledged before is there': async server => {
    const secrets = await freshCollection(server);
    for (let i = 0; i < 10; i++) {
      await createAll(server, secrets, [`s-${i}`]);
      for (const gateway of server.gateways.keys()) {
        using stream = await server.watch(`${secrets}?watch=1`, { gateway });
        const events = await stream.heard(i + 1);
        assert.equal(events.filter(event => event.type === 'ADDED').length, i + 1);
      }
    }
  },
  '1/watch/0 what there is, then what happens': server => synthetic(server, '&resourceVersion=0'),
  '1/watch/non-zero nothing but what happened after': async server => {
    const secrets = await freshCollection(server);
    const version = await createAll(server, secrets, ['a', 'b']);
    const next = await touch(server, `${secrets}/b`, '1');
    for (const gateway of server.gateways.keys()) {
      using stream = await server.watch(`${secrets}?watch=1&resourceVersion=${version}`, { gateway });
      const [event] = await stream.heard(1);
      assert.deepEqual([event?.type, event?.at('metadata', 'resourceVersion')], ['MODIFIED', next]);
    }
  },
};

/** 1, "Resource version semantics". */
export const resourceVersionTests: ConformanceTests = {
  ...getTests,
  ...listTests,
  ...meaningTests,
  ...watchTests,
};
