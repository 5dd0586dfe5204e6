import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject } from '@binnacle/api-objects';
import { createTypeRegistry } from '@binnacle/api-types';
import { partialMetadataListFrom } from './partial-metadata.ts';
import { parseIncludeObject, tableFrom } from './table.ts';

const object: ApiObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', creationTimestamp: '2024-01-01T00:00:00Z' },
  data: { x: '1' },
};
const options = { listMeta: { resourceVersion: '5' }, now: Date.parse('2024-01-01T00:01:00Z') };

test('a kind without columns has the columns name and creation time', () => {
  const table = tableFrom({ rules: {} }, [object], options);
  assert.deepEqual(
    table.columnDefinitions.map(({ name, type }) => [name, type]),
    [
      ['Name', 'string'],
      ['Created At', 'date'],
    ],
  );
  assert.deepEqual(table.rows[0]?.cells, ['a', '2024-01-01T00:00:00Z']);
  assert.equal(table.apiVersion, 'meta.cluster.io/v1');
});

test('a kind with columns has one cell for each of them', () => {
  const definition = createTypeRegistry().kind('', 'v1', 'ConfigMap')!;
  const table = tableFrom(definition, [object], options);
  assert.equal(table.rows[0]?.cells.length, table.columnDefinitions.length);
  assert.deepEqual(Object.keys(table.columnDefinitions[0] ?? {}), [
    'name',
    'type',
    'format',
    'description',
    'priority',
  ]);
});

test('a row includes nothing, the metadata or the whole object, as requested', () => {
  const carried = (includeObject: 'None' | 'Metadata' | 'Object') =>
    tableFrom({ rules: {} }, [object], { ...options, includeObject }).rows[0]?.object;
  assert.equal(carried('None'), null);
  assert.equal(carried('Object'), object);
  assert.deepEqual(carried('Metadata'), {
    kind: 'PartialObjectMetadata',
    apiVersion: 'meta.cluster.io/v1',
    metadata: object.metadata,
  });
  assert.equal(parseIncludeObject(''), 'Metadata');
  assert.throws(() => parseIncludeObject('All'), { code: 400 });
});

test('a table can omit columns and use the alias of its group', () => {
  const table = tableFrom({ rules: {} }, [], { ...options, omitColumns: true, apiVersion: 'meta.k8s.io/v1' });
  assert.deepEqual(table, {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { resourceVersion: '5' },
    columnDefinitions: [],
    rows: [],
  });
});

test('a list of partial metadata keeps the metadata of the list', () => {
  const list = partialMetadataListFrom([object], { resourceVersion: '5', continue: 'c' });
  assert.deepEqual(list.metadata, { resourceVersion: '5', continue: 'c' });
  assert.deepEqual(list.items[0]?.metadata, object.metadata);
});
