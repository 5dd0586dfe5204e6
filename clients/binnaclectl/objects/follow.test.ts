import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createCredentialSource, createDirectClient } from '@binnacle/client';
import { follow } from './follow.ts';
import { pageFrom } from './page.ts';

const object = (name: string, version: number) => ({
  metadata: { name, uid: `u-${name}`, resourceVersion: String(version) },
});
const event = (type: string, name: string, version: number) =>
  `${JSON.stringify({ type, object: object(name, version) })}\n`;
const bookmark = (version: number) =>
  `${JSON.stringify({ type: 'BOOKMARK', object: { kind: 'ConfigMap', metadata: { resourceVersion: String(version) } } })}\n`;
const expired = `${JSON.stringify({
  type: 'ERROR',
  object: { kind: 'Status', reason: 'Expired', message: 'too old', code: 410 },
})}\n`;

type Step = (response: ServerResponse) => void;

const send =
  (...lines: string[]): Step =>
  response =>
    void response.end(lines.join(''));
const breakAfter =
  (...lines: string[]): Step =>
  response =>
    response.write(lines.join(''), () => response.destroy());
const list =
  (version: number, ...items: object[]): Step =>
  response =>
    void response.end(
      JSON.stringify({ kind: 'ConfigMapList', metadata: { resourceVersion: String(version) }, items }),
    );
const refuse =
  (code: number): Step =>
  response => {
    response.statusCode = code;
    response.end(JSON.stringify({ kind: 'Status', message: 'refused', code }));
  };
/** Nothing comes any more. */
const stay: Step = response => response.flushHeaders();

interface Case {
  readonly what: string;
  readonly steps: readonly Step[];
  /** Type, name and version of each change. */
  readonly changes: readonly string[];
  /** The version at which each watch begins; `list` for each list. */
  readonly requests: readonly string[];
  readonly breaks: number;
}

const cases: Case[] = [
  {
    what: 'a watch that ends is opened where it was',
    steps: [send(event('ADDED', 'b', 11)), send(event('MODIFIED', 'a', 12)), stay],
    changes: ['ADDED b 11', 'MODIFIED a 12'],
    requests: ['10', '11', '12'],
    breaks: 0,
  },
  {
    what: 'a bookmark moves the place',
    steps: [send(bookmark(20)), stay],
    changes: [],
    requests: ['10', '20'],
    breaks: 0,
  },
  {
    what: 'a watch that breaks is resumed, and the break is said',
    steps: [breakAfter(event('ADDED', 'b', 11)), stay],
    changes: ['ADDED b 11'],
    requests: ['10', '11'],
    breaks: 1,
  },
  {
    what: 'a server that is busy is asked later, which is said once',
    steps: [refuse(503), refuse(429), stay],
    changes: [],
    requests: ['10', '10', '10'],
    breaks: 1,
  },
  {
    what: 'a server that is busy after it has ended a watch is said to be so',
    steps: [send(event('ADDED', 'b', 11)), send(), refuse(503), stay],
    changes: ['ADDED b 11'],
    requests: ['10', '11', '11', '11'],
    breaks: 1,
  },
  {
    what: 'after a place that is gone, what has changed between two states is told',
    steps: [
      send(event('ADDED', 'b', 11), event('ADDED', 'c', 12), expired),
      list(30, object('a', 5), object('b', 21), object('d', 22)),
      stay,
    ],
    changes: ['ADDED b 11', 'ADDED c 12', 'DELETED c 12', 'MODIFIED b 21', 'ADDED d 22'],
    requests: ['10', 'list', '30'],
    breaks: 1,
  },
  {
    what: 'an object that was deleted and has come with the same name is two changes',
    steps: [
      refuse(410),
      list(30, { metadata: { name: 'a', uid: 'other', resourceVersion: '25' } }),
      send(event('DELETED', 'b', 31)),
      stay,
    ],
    changes: ['DELETED a 5', 'ADDED a 25', 'DELETED b 31'],
    requests: ['10', 'list', '30', '31'],
    breaks: 1,
  },
];

for (const { what, steps, changes, requests, breaks } of cases) {
  test(what, async () => {
    await using followed = await startFollowing(steps);
    for (let seen = 0; seen < changes.length; seen++) await followed.next();
    await followed.reached;
    assert.deepEqual(followed.changes, changes);
    assert.deepEqual(followed.requests, requests);
    assert.equal(followed.breaks(), breaks);
  });
}

test('a permanent refusal ends the watch', async () => {
  await using followed = await startFollowing([send(event('ADDED', 'b', 11)), refuse(403)]);
  await followed.next();
  await assert.rejects(followed.next(), { code: 403 });
  assert.equal(followed.breaks(), 0);
});

/** Follows a collection with one object, `a` at version 5, from version 10; the server answers with the steps one by one. */
async function startFollowing(steps: readonly Step[]) {
  const requests: string[] = [];
  const changes: string[] = [];
  const reached = Promise.withResolvers<void>();
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const { searchParams } = new URL(request.url ?? '', 'http://h');
    requests.push(searchParams.has('watch') ? (searchParams.get('resourceVersion') ?? '') : 'list');
    steps[requests.length - 1]?.(response);
    if (requests.length === steps.length) reached.resolve();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // A server on a port.
  const ending = new AbortController();
  const configuration = { servers: [`http://127.0.0.1:${port}`] };
  const client = createDirectClient({
    configuration,
    credentialSource: createCredentialSource(configuration),
    userAgent: 'test',
    timeoutMs: 0,
    signal: ending.signal,
    now: () => 0,
  });
  let breaks = 0;
  const iterator = follow({
    client,
    selection: { path: '/api/v1/configmaps', labelSelector: '', fieldSelector: '', accept: '' },
    watchAccept: 'application/json',
    start: pageFrom({
      kind: 'ConfigMapList',
      metadata: { resourceVersion: '10' },
      items: [object('a', 5)],
    }),
    signal: ending.signal,
    random: () => 0,
    onBreak: () => breaks++,
  })[Symbol.asyncIterator]();
  const take = async () => {
    const { value, done } = await iterator.next();
    if (!done)
      changes.push(`${value.type} ${value.item.metadata.name} ${value.item.metadata.resourceVersion}`);
  };
  let last: Promise<void> | undefined;
  return {
    requests,
    changes,
    breaks: () => breaks,
    next: take,
    /** Resolves when the last step is asked for: the iteration goes on until then. */
    get reached() {
      last = take();
      return Promise.race([reached.promise, last]);
    },
    async [Symbol.asyncDispose]() {
      ending.abort();
      await last?.catch(() => {});
      client[Symbol.dispose]();
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
