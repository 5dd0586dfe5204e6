import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupTable } from '@binnacle/api-names/table';
import { createDiscovery } from './discovery.ts';

/** A server that lists these groups, and what it was asked for. */
function createServer(names: readonly string[]) {
  const asked: string[] = [];
  const groups = names.map(name => ({ name, versions: [{ version: 'v1' }] }));
  const answers: Readonly<Record<string, object>> = { '/api': { versions: ['v1'] }, '/apis': { groups } };
  const json = async <T>({ path }: { readonly path: string }): Promise<T> => {
    asked.push(path);
    return (answers[path] ?? { resources: [] }) as T; // the caller says what the path answers with
  };
  return { asked, discovery: createDiscovery({ json }) };
}

const cases: [what: string, served: readonly string[], name: string][] = [
  ...groupTable.authorization.map((name): [string, readonly string[], string] => [
    name,
    ['apps', name],
    name,
  ]),
  ['both', ['apps', ...groupTable.authorization], groupTable.authorization[0]],
  ['neither', ['apps'], groupTable.authorization[0]],
];

for (const [what, served, name] of cases)
  test(`the group of a server with ${what} is ${name}`, async () => {
    const { discovery, asked } = createServer(served);
    assert.equal(await discovery.nameOf(groupTable.authorization), name);
    assert.equal(await discovery.nameOf(groupTable.authorization), name);
    assert.deepEqual(asked, ['/apis']);
  });

test('one list of groups answers for the names of groups and types until it is discarded', async () => {
  const { discovery, asked } = createServer([]);
  await discovery.served();
  await discovery.nameOf(groupTable.authorization);
  const lists = () => asked.filter(path => path === '/apis').length;
  assert.equal(lists(), 1);
  discovery.forget();
  await discovery.served();
  assert.equal(lists(), 2);
});
