import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ApiServer, startApiServer, until } from './api-server.ts';
import { createDefinition, definitionsPath, establish } from './custom-widget.ts';

let server: ApiServer;

before(async () => {
  server = await startApiServer();
  await server.namespace('t');
});
after(() => server?.[Symbol.asyncDispose]());

/** The names and labels of all series. */
async function series(): Promise<Set<string>> {
  const { text } = await server.call('GET', '/metrics');
  const lines = text.split('\n').filter(line => line !== '' && !line.startsWith('#'));
  return new Set(lines.map(line => line.slice(0, line.lastIndexOf(' '))));
}

/** Makes a definition, uses its objects in every way, and deletes it. */
async function cycle(plural: string): Promise<void> {
  const group = 'cycles.example.com';
  const schema = { type: 'object', 'x-cluster-preserve-unknown-fields': true };
  await establish(server, createDefinition(plural, `Kind${plural}`, schema, { group }));
  const path = `/apis/${group}/v1/namespaces/t/${plural}`;
  const body = { apiVersion: `${group}/v1`, kind: `Kind${plural}`, metadata: { name: 'a' } };
  assert.equal((await server.call('POST', path, { body })).code, 201);
  using watch = await server.watch(`${path}?watch=1&resourceVersion=0`);
  await until('the object', () => watch.events.length > 0);
  for (const place of [path, `${path}/a`, `${path}/b`, `/apis/${group}/v1/${plural}`])
    for (const method of ['GET', 'DELETE']) await server.call(method, place);
  assert.ok([...(await series())].some(one => one.includes(`"${plural}"`)));
  assert.ok([...(await series())].some(one => one.includes(`"${plural}.${group}"`)));
  await server.call('DELETE', `${definitionsPath}/${plural}.${group}`);
  await until('the definition to be gone', async () => (await server.call('GET', path)).code === 404);
}

test('series of deleted definitions are removed', async () => {
  await cycle('first');
  for (const plural of ['second', 'third', 'fourth']) await cycle(plural);
  const names = ['first', 'second', 'third', 'fourth'].flatMap(name => [`"${name}`, `"Kind${name}`]);
  await until('the series of the definitions to be gone', async () =>
    [...(await series())].every(one => !names.some(name => one.includes(name))),
  );
});
