import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { createCredentialSource, createDirectClient } from '@binnacle/client';
import type { ResourceType } from '../discovery/resource-type.ts';
import { createPlace } from './place.ts';
import { waitForObject } from './wait-for-object.ts';

type Step = (response: ServerResponse) => void;

const object = (colour: string) => ({ metadata: { name: 'a', uid: 'u', resourceVersion: '7' }, colour });
const list =
  (...items: object[]): Step =>
  response =>
    void response.end(JSON.stringify({ kind: 'ThingList', metadata: { resourceVersion: '5' }, items }));
const refuse =
  (code: number): Step =>
  response => {
    response.statusCode = code;
    response.end(JSON.stringify({ kind: 'Status', message: 'refused', code }));
  };
const event = (type: string, colour: string) => `${JSON.stringify({ type, object: object(colour) })}\n`;
const send =
  (text: string): Step =>
  response =>
    void response.write(text);
const breakAfter =
  (text: string): Step =>
  response =>
    response.write(text, () => response.destroy());
const stay: Step = response => response.flushHeaders();

const cases: [what: string, steps: Step[], colour: string | undefined, told: RegExp][] = [
  ['an object that is green from the start', [list(object('green'))], 'green', /^$/],
  [
    'a server that is busy first',
    [refuse(503), list(object('green'))],
    'green',
    /refused\nResuming the watch\.\n$/,
  ],
  [
    'a change after a watch that breaks',
    [list(object('red')), breakAfter(event('MODIFIED', 'blue')), send(event('MODIFIED', 'green'))],
    'green',
    /Resuming the watch\.\n$/,
  ],
  ['a deletion', [list(object('red')), send(event('DELETED', 'red'))], undefined, /^$/],
  ['no object at all', [list()], undefined, /^$/],
  ['a type that is served no more', [list(object('red')), refuse(404)], undefined, /^$/],
];

for (const [what, steps, colour, told] of cases)
  test(`${what} ends the wait`, async () => {
    await using server = await startServer(steps);
    const met = await server.waitForGreen(60_000);
    assert.equal(met?.['colour'], colour);
    assert.match(server.told(), told);
    assert.equal(server.requests(), steps.length);
  });

for (const [what, steps] of [
  ['a watch that brings nothing', [list(object('red')), stay]],
  ['a list that is not answered', [() => {}]],
] satisfies [string, Step[]][])
  test(`${what} ends at the timeout`, async () => {
    await using server = await startServer(steps);
    await assert.rejects(server.waitForGreen(1), {
      message: 'timed out waiting for the condition on things/a',
    });
  });

test('a refusal ends the wait', async () => {
  await using server = await startServer([refuse(403)]);
  await assert.rejects(server.waitForGreen(60_000), { code: 403 });
});

const things: ResourceType = {
  group: '',
  version: 'v1',
  resource: 'things',
  singular: 'thing',
  shortNames: [],
  kind: 'Thing',
  namespaced: false,
  verbs: [],
  categories: [],
};

/** A server that answers with the steps one by one, and a client that waits for `a` to be green or gone. */
async function startServer(steps: readonly Step[]) {
  let requests = 0;
  let told = '';
  const server = createServer((_, response) => steps[requests++]?.(response));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // A server on a port.
  const configuration = { servers: [`http://127.0.0.1:${port}`] };
  const { signal } = new AbortController();
  const client = createDirectClient({
    configuration,
    credentialSource: createCredentialSource(configuration),
    userAgent: 'test',
    timeoutMs: 0,
    signal,
    now: () => 0,
  });
  const terminal = {
    version: '',
    out: async () => {},
    err: (text: string) => {
      told += text;
    },
    input: Readable.from([]),
    inputIsInteractive: false,
    env: {},
    signal,
    now: () => 0,
    time: () => 0,
    random: () => 0,
    runProgram: async () => 0,
  };
  return {
    requests: () => requests,
    told: () => told,
    waitForGreen: (timeoutMs: number) =>
      waitForObject({ client, terminal }, createPlace(things, undefined, 'a'), {
        isMet: object => object === undefined || object['colour'] === 'green',
        timeoutMs,
      }),
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]();
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
