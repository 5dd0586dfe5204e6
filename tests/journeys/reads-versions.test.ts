import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Answer, type ApiServer, startApiServer, until } from './api-server.ts';
import { shareApiServer } from './shared-server.ts';

const maps = '/api/v1/namespaces/reads-versions/configmaps';
/** Placeholders in queries for values that are known once the server runs. */
const known: Record<string, string> = {};
let server: ApiServer;

before(async () => {
  server = await shareApiServer();
  await server.namespace('reads-versions');
  for (const name of ['c0', 'c1', 'c2']) await create(name);
  known['OLD'] = await create('c3');
  const chunk = await get('?limit=2');
  known['TOKEN'] = chunk.json.metadata.continue;
  known['FIRST'] = chunk.json.metadata.resourceVersion;
  known['NEW'] = await create('c4');
  const secret = await server.call('POST', '/api/v1/namespaces/reads-versions/secrets', {
    body: { metadata: { name: 's' } },
  });
  known['OTHER'] = secret.json.metadata.resourceVersion;
});
after(() => server?.[Symbol.asyncDispose]());

async function create(name: string): Promise<string> {
  const { code, json } = await server.call('POST', maps, { body: { metadata: { name } } });
  assert.equal(code, 201);
  return json.metadata.resourceVersion;
}
const filled = (query: string) => query.replace(/\{([A-Z]+)\}/g, (_, name: string) => known[name] ?? '');
const get = (query: string) => server.call('GET', `${maps}${filled(query)}`);
const listNames = ({ json }: Answer) => json.items.map(item => item.metadata.name);
const readVersion = ({ json }: Answer) => Number(json.metadata.resourceVersion);
const future = '99999999';
const all = ['c0', 'c1', 'c2', 'c3', 'c4'];

/** The content of an answer: names, and the version of the list, exactly or at least. */
interface Shown {
  readonly names: readonly string[];
  readonly exactly?: string;
  readonly atLeast?: string;
  /** Whether there is more. */
  readonly more?: boolean;
}

/** Cells of the table of lists: match, limit and continue, version. */
const lists: readonly (readonly [string, Shown])[] = [
  ['', { names: all, atLeast: 'NEW' }],
  ['?resourceVersion=', { names: all, atLeast: 'NEW' }],
  ['?resourceVersion=0', { names: all }],
  ['?resourceVersion={OLD}', { names: all, atLeast: 'OLD' }],
  ['?resourceVersion={NEW}', { names: all, atLeast: 'NEW' }],
  ['?resourceVersion={OTHER}', { names: all, atLeast: 'OTHER' }],
  ['?limit=2', { names: ['c0', 'c1'], atLeast: 'NEW', more: true }],
  ['?limit=2&resourceVersion=0', { names: all }],
  ['?limit=2&resourceVersion={OLD}', { names: ['c0', 'c1'], exactly: 'OLD', more: true }],
  ['?limit=9&resourceVersion={OLD}', { names: ['c0', 'c1', 'c2', 'c3'], exactly: 'OLD' }],
  ['?limit=2&continue={TOKEN}', { names: ['c2', 'c3'], exactly: 'FIRST' }],
  ['?limit=1&continue={TOKEN}', { names: ['c2'], exactly: 'FIRST', more: true }],
  ['?continue={TOKEN}', { names: ['c2', 'c3'], exactly: 'FIRST' }],
  ['?limit=2&continue={TOKEN}&resourceVersion=0', { names: ['c2', 'c3'], exactly: 'FIRST' }],
  ['?resourceVersionMatch=Exact&resourceVersion={OLD}', { names: ['c0', 'c1', 'c2', 'c3'], exactly: 'OLD' }],
  ['?resourceVersionMatch=Exact&resourceVersion={OTHER}', { names: all, exactly: 'OTHER' }],
  [
    '?resourceVersionMatch=Exact&limit=2&resourceVersion={OLD}',
    { names: ['c0', 'c1'], exactly: 'OLD', more: true },
  ],
  ['?resourceVersionMatch=NotOlderThan&resourceVersion=0', { names: all }],
  ['?resourceVersionMatch=NotOlderThan&resourceVersion={OLD}', { names: all, atLeast: 'OLD' }],
  ['?resourceVersionMatch=NotOlderThan&resourceVersion={OTHER}', { names: all, atLeast: 'OTHER' }],
  ['?resourceVersionMatch=NotOlderThan&limit=2&resourceVersion=0', { names: all }],
  [
    '?resourceVersionMatch=NotOlderThan&limit=2&resourceVersion={OLD}',
    { names: ['c0', 'c1'], atLeast: 'NEW', more: true },
  ],
  ['?limit=0', { names: all, atLeast: 'NEW' }],
  ['?limit=-1', { names: all, atLeast: 'NEW' }],
  ['?limit=5', { names: all, atLeast: 'NEW' }],
  ['?watch=false', { names: all, atLeast: 'NEW' }],
  ['?watch=0&allowWatchBookmarks=true', { names: all, atLeast: 'NEW' }],
];

describe('a list', () => {
  for (const [query, shown] of lists) {
    test(`${query || 'without parameters'} shows the expected objects`, async () => {
      const answer = await get(query);
      assert.equal(answer.code, 200, answer.text);
      assert.equal(answer.json.kind, 'ConfigMapList');
      assert.deepEqual(listNames(answer), shown.names);
      if (shown.exactly) assert.equal(answer.json.metadata.resourceVersion, known[shown.exactly]);
      if (shown.atLeast) assert.ok(readVersion(answer) >= Number(known[shown.atLeast]));
      assert.equal(answer.json.metadata.continue !== undefined, shown.more === true);
    });
  }
});

/** Refused queries, with the reasons and fields of the causes. */
const refused: readonly (readonly [string, number, string, readonly string[]])[] = [
  ['?resourceVersionMatch=Exact', 422, 'Invalid', ['FieldValueForbidden resourceVersionMatch']],
  ['?resourceVersionMatch=NotOlderThan', 422, 'Invalid', ['FieldValueForbidden resourceVersionMatch']],
  ['?resourceVersionMatch=Exact&limit=2', 422, 'Invalid', ['FieldValueForbidden resourceVersionMatch']],
  [
    '?resourceVersionMatch=NotOlderThan&limit=2',
    422,
    'Invalid',
    ['FieldValueForbidden resourceVersionMatch'],
  ],
  [
    '?resourceVersionMatch=Exact&resourceVersion=0',
    422,
    'Invalid',
    ['FieldValueForbidden resourceVersionMatch'],
  ],
  [
    '?resourceVersionMatch=Exact&resourceVersion=0&limit=2',
    422,
    'Invalid',
    ['FieldValueForbidden resourceVersionMatch'],
  ],
  [
    '?resourceVersionMatch=Foo&resourceVersion={NEW}',
    422,
    'Invalid',
    ['FieldValueNotSupported resourceVersionMatch'],
  ],
  [
    '?resourceVersionMatch=Foo',
    422,
    'Invalid',
    ['FieldValueForbidden resourceVersionMatch', 'FieldValueNotSupported resourceVersionMatch'],
  ],
  [
    '?resourceVersionMatch=NotOlderThan&limit=2&continue={TOKEN}',
    422,
    'Invalid',
    ['FieldValueForbidden resourceVersionMatch', 'FieldValueForbidden resourceVersionMatch'],
  ],
  [
    '?resourceVersionMatch=Exact&limit=2&continue={TOKEN}&resourceVersion={OLD}',
    422,
    'Invalid',
    ['FieldValueForbidden resourceVersionMatch'],
  ],
  ['?sendInitialEvents=true', 422, 'Invalid', ['FieldValueForbidden sendInitialEvents']],
  ['?limit=2&continue={TOKEN}&resourceVersion={OLD}', 400, 'BadRequest', []],
  ['?continue={TOKEN}&resourceVersion={OLD}', 400, 'BadRequest', []],
  ['?resourceVersion=abc', 400, 'BadRequest', []],
  ['?resourceVersion=abc&limit=1', 400, 'BadRequest', []],
  ['?resourceVersion=-1', 400, 'BadRequest', []],
  ['?resourceVersion=1.5', 400, 'BadRequest', []],
  ['?resourceVersion=99999999999999999999', 400, 'BadRequest', []],
  ['?limit=abc', 400, 'BadRequest', []],
  ['?timeoutSeconds=abc', 400, 'BadRequest', []],
];

describe('an invalid list', () => {
  for (const [query, code, reason, causes] of refused) {
    test(`${query} is ${code}`, async () => {
      const { json } = await get(query);
      const found = (json.details?.causes ?? []).map(cause => `${cause.reason} ${cause.field}`);
      assert.deepEqual([json.code, json.reason, found.toSorted()], [code, reason, causes.toSorted()]);
    });
  }
});

/** The largest version that Kubernetes accepts; it is told as the largest that a store can reach. */
const largest = '18446744073709551615';

const tooLarge = [
  `?resourceVersion=${future}`,
  `?resourceVersion=${future}&resourceVersionMatch=NotOlderThan`,
  `?resourceVersion=${future}&resourceVersionMatch=NotOlderThan&limit=2`,
  `?resourceVersion=${future}&resourceVersionMatch=Exact`,
  `?resourceVersion=${future}&limit=2`,
  `/c1?resourceVersion=${future}`,
  `?resourceVersion=${largest}&resourceVersionMatch=NotOlderThan`,
  `?resourceVersion=${largest}&resourceVersionMatch=Exact`,
  `?resourceVersion=${largest}&limit=2`,
  `/c1?resourceVersion=${largest}`,
];

describe('a future resourceVersion', { concurrency: true }, () => {
  for (const query of tooLarge) {
    test(`${query} is answered with a time to retry`, async () => {
      const { code, json, headers } = await get(query);
      assert.deepEqual([code, json.reason], [504, 'Timeout']);
      assert.match(
        json.message,
        new RegExp(`Too large resource version: (${future}|${Number.MAX_SAFE_INTEGER}),`),
      );
      assert.deepEqual(
        json.details.causes.map(cause => cause.reason),
        ['ResourceVersionTooLarge'],
      );
      assert.equal(json.details.retryAfterSeconds, 1);
      assert.equal(headers['retry-after'], '1');
    });
  }
});

test('a resourceVersion that is reached while a list waits is shown', async () => {
  const now = readVersion(await get(''));
  const waiting = get(`?resourceVersion=${now + 1}&resourceVersionMatch=NotOlderThan`);
  const got = get(`/c1?resourceVersion=${now + 1}`);
  const written = await create('later');
  const listed = await waiting;
  assert.equal(listed.code, 200, listed.text);
  assert.ok(readVersion(listed) >= now + 1);
  if (Number(written) === now + 1) assert.ok(listNames(listed).includes('later'));
  assert.equal((await got).code, 200);
  assert.equal((await server.call('DELETE', `${maps}/later`)).code, 200);
});

/** Cells of the table of gets. */
const gets: readonly (readonly [string, number])[] = [
  ['/c1', 200],
  ['/c1?resourceVersion=', 200],
  ['/c1?resourceVersion=0', 200],
  ['/c1?resourceVersion={OLD}', 200],
  ['/c4?resourceVersion={NEW}', 200],
  ['/c1?resourceVersion={OTHER}', 200],
  ['/c1?resourceVersionMatch=Exact', 200],
  ['/c1?resourceVersion={OLD}&resourceVersionMatch=Foo', 200],
  ['/c1?watch=1&resourceVersion={OLD}', 200],
  ['/none', 404],
  ['/none?resourceVersion=0', 404],
  ['/none?resourceVersion={NEW}', 404],
  ['/c1?resourceVersion=abc', 400],
  ['/c1?resourceVersion=-1', 400],
];

describe('a get', () => {
  for (const [query, code] of gets) {
    test(`${query} is ${code}`, async () => {
      const answer = await get(query);
      assert.equal(answer.code, code, answer.text);
      assert.equal(answer.json.kind, code === 200 ? 'ConfigMap' : 'Status');
    });
  }
});

test('compacted resourceVersions are 410 for lists at exactly them', async () => {
  await using small = await startApiServer({ historyWindow: 1_000 });
  await small.namespace('reads-versions');
  const { json } = await small.call('POST', maps, { body: { metadata: { name: 'a' } } });
  const lost = json.metadata.resourceVersion;
  await until('the version is out of history', async () => {
    await small.call('POST', maps, { body: { metadata: { generateName: 'x-' } } });
    const query = `resourceVersion=${lost}&resourceVersionMatch=Exact`;
    return (await small.call('GET', `${maps}?${query}`)).code === 410;
  });
  for (const query of [
    `resourceVersion=${lost}&resourceVersionMatch=Exact`,
    `resourceVersion=${lost}&resourceVersionMatch=Exact&limit=1`,
    `resourceVersion=${lost}&limit=1`,
  ]) {
    const { code, json: status } = await small.call('GET', `${maps}?${query}`);
    assert.deepEqual([code, status.reason, status.code], [410, 'Expired', 410], query);
  }
  for (const query of [
    `resourceVersion=${lost}`,
    `resourceVersion=${lost}&resourceVersionMatch=NotOlderThan`,
  ])
    assert.equal((await small.call('GET', `${maps}?${query}`)).code, 200, query);
  assert.equal((await small.call('GET', `${maps}/a?resourceVersion=${lost}`)).code, 200);
});

test('a get returns the stored object with its resourceVersion and the standard headers', async () => {
  const answer = await get('/c1');
  assert.equal(answer.headers['content-type'], 'application/json');
  assert.equal(answer.headers['cache-control'], 'no-cache, private');
  assert.match(String(answer.headers['audit-id']), /^[0-9a-f-]{36}$/);
  assert.deepEqual([answer.json.kind, answer.json.apiVersion], ['ConfigMap', 'v1']);
  assert.match(answer.json.metadata.resourceVersion, /^[0-9]+$/);
  const named = await server.call('GET', `${maps}/c1`, { headers: { 'Audit-Id': 'mine' } });
  assert.equal(named.headers['audit-id'], 'mine');
});
