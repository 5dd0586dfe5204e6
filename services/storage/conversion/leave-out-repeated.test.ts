import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leaveOutRepeated, placeWithout } from './leave-out-repeated.ts';

/** Names begin with `a.` before, and with `b.` afterwards. */
const cases: [what: string, before: string, after: string, leftOut: string[]][] = [
  ['nothing', '{"x":["a.1","a.2"],"args":["a.1","b.1"]}', '{"x":["b.1","b.2"],"args":["b.1","b.1"]}', []],
  ['the second of two', '{"groups":["a.1","b.1","a.2"]}', '{"groups":["b.1","b.2"]}', ['/groups/1']],
  ['the last', '{"groups":["a.1", "b.1" ]}', '{"groups":["b.1" ]}', ['/groups/1']],
  ['several', '{"groups":["b.1","a.1","a.2","b.2"]}', '{"groups":["b.1","b.2"]}', ['/groups/1', '/groups/3']],
  ['none that was equal before', '{"groups":["a.1","a.1"]}', '{"groups":["b.1","b.1"]}', []],
  [
    'an entry with its members in another order',
    '{"subjects":[{"kind":"User","name":"a.1"},{"name":"b.1","kind":"User"}]}',
    '{"subjects":[{"kind":"User","name":"b.1"}]}',
    ['/subjects/1'],
  ],
  [
    'within entries',
    '{"rules":[{"apiGroups":["a.1","b.1"]},{"apiGroups":["a.1","a.2"]}]}',
    '{"rules":[{"apiGroups":["b.1"]},{"apiGroups":["b.1","b.2"]}]}',
    ['/rules/0/apiGroups/1'],
  ],
  ['the member that was converted', '{"l":{"a.1":"x","b.1":"y"}}', '{"l":{"b.1":"y"}}', ['/l/b.1']],
  [
    'the same where it is the second',
    '{"l":{"b.1":"y","a.1":{"c":"]"}},"m":1}',
    '{"l":{"b.1":"y"},"m":1}',
    ['/l/b.1'],
  ],
  [
    'in texts with signs of JSON',
    '{"t":"a\\"}],{","groups":["a.\\\\","b.\\\\"]}',
    '{"t":"a\\"}],{","groups":["b.\\\\"]}',
    ['/groups/1'],
  ],
];

for (const [what, before, after, leftOut] of cases)
  test(`repeated entries are removed: ${what}`, () => {
    const result = leaveOutRepeated(before, before.replaceAll('"a.', '"b.'));
    assert.equal(result.json, after);
    assert.deepEqual(
      result.leftOut.map(({ holder, at }) => `${holder}/${at}`),
      leftOut,
    );
  });

test('entries of the same field manager are merged, with the later time', () => {
  const entry = (version: string, time: string, fields: object) => ({
    manager: 'm',
    operation: 'Update',
    apiVersion: version,
    time,
    fieldsV1: fields,
  });
  const text = (entries: readonly object[]) => JSON.stringify({ metadata: { managedFields: entries }, x: 1 });
  const other = entry('v1', '3', { 'f:x': {} });
  const before = text([
    entry('a.1', '2', { 'f:a': { 'f:b': {} } }),
    other,
    entry('b.1', '1', { 'f:a': { 'f:c': {}, '.': {} }, 'f:d': {} }),
  ]);
  const { json, leftOut } = leaveOutRepeated(before, before.replaceAll('"a.', '"b.'));
  assert.deepEqual(JSON.parse(json), {
    metadata: {
      managedFields: [entry('b.1', '2', { 'f:a': { 'f:b': {}, 'f:c': {}, '.': {} }, 'f:d': {} }), other],
    },
    x: 1,
  });
  assert.deepEqual(leftOut, [{ holder: '/metadata/managedFields', at: 2 }]);
});

test('indexes are adjusted when earlier entries are removed', () => {
  const leftOut = [
    { holder: '/groups', at: 1 },
    { holder: '/groups', at: 3 },
    { holder: '/l', at: 'b.1' },
  ];
  const places = [
    '/groups/0',
    '/groups/1',
    '/groups/2',
    '/groups/3/x',
    '/groups/4/x',
    '/groupsb/4',
    '/l/b.1',
  ];
  assert.deepEqual(
    places.map(place => placeWithout(place, leftOut)),
    ['/groups/0', undefined, '/groups/1', undefined, '/groups/2/x', '/groupsb/4', '/l/b.1'],
  );
});
