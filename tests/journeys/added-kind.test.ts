import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleTypes } from '@binnacle/api-types/testing';
import { startApiServer, until } from './api-server.ts';

interface Beacon {
  readonly spec: { readonly range: number; readonly lamps: readonly { readonly name: string }[] };
  readonly status: { readonly lit: boolean };
}

/** The Beacon in an answer. */
const parseBeacon = (answer: { readonly text: string }): Beacon => JSON.parse(answer.text) as Beacon;

const collection = '/apis/example.cluster.io/v1/namespaces/coast/beacons';

test('a kind added by its definition alone is served like any other', async () => {
  await using server = await startApiServer({ addedTypes: exampleTypes });
  await server.namespace('coast');
  using watch = await server.watch(`${collection}?watch=1`);

  const bad = { metadata: { name: 'west' }, spec: { range: 99, colour: 'Blue' } };
  const refused = await server.call('POST', collection, { body: bad });
  assert.equal(refused.code, 422);
  const fields = refused.json.details.causes.map((cause: { field: string }) => cause.field);
  assert.deepEqual(fields.toSorted(), ['spec.colour', 'spec.range']);

  const good = { metadata: { name: 'west' }, spec: { range: 9, lamps: [{ name: 'a' }] } };
  const created = await server.call('POST', collection, { body: good });
  assert.equal(created.code, 201);
  const patched = await server.call('PATCH', `${collection}/west`, {
    body: { spec: { lamps: [{ name: 'b', watts: 5 }] } },
    headers: { 'Content-Type': 'application/strategic-merge-patch+json' },
  });
  const lamps = parseBeacon(patched).spec.lamps.map(lamp => lamp.name);
  assert.deepEqual(lamps.toSorted(), ['a', 'b'], 'lists merge by the key of the definition');
  const status = await server.call('PATCH', `${collection}/west/status`, {
    body: { status: { lit: true }, spec: { range: 1 } },
    headers: { 'Content-Type': 'application/merge-patch+json' },
  });
  const lit = parseBeacon(status);
  assert.deepEqual([lit.status.lit, lit.spec.range], [true, 9]);

  const table = await server.call('GET', collection, {
    headers: { Accept: 'application/json;as=Table;g=meta.cluster.io;v=v1' },
  });
  assert.equal(table.json.rows[0]?.cells[0], 'west');
  const discovery = await server.call('GET', '/apis/example.cluster.io/v1');
  assert.ok(discovery.json.resources.some((resource: { name: string }) => resource.name === 'beacons'));
  await until('the events', () => watch.events.length >= 3);
  assert.deepEqual(
    watch.events.map(event => event.type),
    ['ADDED', 'MODIFIED', 'MODIFIED'],
  );
});
