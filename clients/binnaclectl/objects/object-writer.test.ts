import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonValue } from '@binnacle/api-objects';
import { ObjectWriter, type WriterOptions } from './object-writer.ts';
import { pageFrom } from './page.ts';

const type = {
  group: 'apps',
  version: 'v1',
  resource: 'deployments',
  singular: 'deployment',
  shortNames: [],
  kind: 'Deployment',
  namespaced: true,
  verbs: [],
  categories: [],
};
const row = (name: string, cells: JsonValue[], labels: Record<string, string> = {}) => ({
  cells: [name, ...cells],
  object: { metadata: { name, namespace: 'shop', labels } },
});
const table = pageFrom({
  kind: 'Table',
  columnDefinitions: [
    { name: 'Name', priority: 0 },
    { name: 'Ready', priority: 0 },
    { name: 'Image', priority: 1 },
  ],
  rows: [row('a', [true, 'x'], { b: '2', a: '1' }), row('bb', [null, { y: 1 }])],
});
const list = pageFrom({
  kind: 'DeploymentList',
  apiVersion: 'apps/v1',
  items: [{ metadata: { name: 'a', managedFields: [{}] }, spec: { replicas: 1 } }],
});

const cases: [what: string, options: Partial<WriterOptions>, event: string, text: string][] = [
  ['a table has the columns of a narrow one', {}, '', 'NAME   READY\na      true\nbb     <none>\n'],
  [
    'a wide table has all columns',
    { form: 'wide' },
    '',
    'NAME   READY    IMAGE\na      true     x\nbb     <none>   {"y":1}\n',
  ],
  ['headers can be left out', { headers: false }, '', 'a     true\nbb    <none>\n'],
  [
    'labels are the last column, in the order of their names',
    { showsLabels: true },
    '',
    'NAME   READY    LABELS\na      true     a=1,b=2\nbb     <none>   <none>\n',
  ],
  [
    'namespaces are the first column',
    { showsNamespace: true },
    '',
    'NAMESPACE   NAME   READY\nshop        a      true\nshop        bb     <none>\n',
  ],
  [
    'types stand before names',
    { showsType: true },
    '',
    'NAME                 READY\ndeployment.apps/a    true\ndeployment.apps/bb   <none>\n',
  ],
  [
    'events stand before all else',
    { showsEvents: true },
    'ADDED',
    'EVENT      NAME   READY\nADDED      a      true\nADDED      bb     <none>\n',
  ],
  ['names are those of types and objects', { form: 'name' }, '', 'deployment.apps/a\ndeployment.apps/bb\n'],
];

for (const [what, options, event, text] of cases) {
  test(what, () => assert.equal(writer(options).write(table.items, table.columns, event), text));
}

test('a table that continues has no second header, and an empty table writes nothing', () => {
  const used = writer({});
  assert.equal(used.write([], table.columns), '');
  assert.match(used.write(table.items.slice(0, 1), table.columns), /^NAME/);
  assert.equal(used.write(table.items.slice(1)), 'bb     <none>\n');
});

test('the columns of an empty table apply to rows that come without columns', () => {
  const rows = writer({});
  assert.equal(rows.write([], table.columns), '');
  assert.equal(rows.write(table.items.slice(0, 1)), 'NAME   READY\na      true\n');
});

test('items of a list are written with the type of the list and without managed fields', () => {
  const yaml = '---\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: a\nspec:\n  replicas: 1\n';
  assert.equal(writer({ form: 'yaml' }).write(list.items), yaml);
  assert.match(writer({ form: 'yaml', showsManagedFields: true }).write(list.items), /managedFields/);
  const json: unknown = JSON.parse(writer({ form: 'json' }).write(list.items, undefined, 'ADDED'));
  assert.deepEqual(json, {
    type: 'ADDED',
    object: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' }, spec: { replicas: 1 } },
  });
});

function writer(options: Partial<WriterOptions>): ObjectWriter {
  return new ObjectWriter({
    form: 'table',
    type,
    headers: true,
    showsLabels: false,
    showsManagedFields: false,
    showsNamespace: false,
    showsType: false,
    showsEvents: false,
    ...options,
  });
}
