import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventRecord, HistoryRecord, ListRecord, ReadRecord, WriteRecord } from './records/records.ts';
import type { CheckName } from './records/violation.ts';
import { verifyHistory } from './verify-history.ts';

type Times = readonly [start: number, end: number];

const place = { resource: 'configmaps', namespace: 'a', name: 'x' };
const write = (
  verb: WriteRecord['verb'],
  [start, end]: Times,
  rest: Partial<WriteRecord> = {},
): WriteRecord => ({
  ...{ kind: 'write', client: 'c', ...place, verb, start, end, outcome: 'ok' },
  ...(rest.version !== undefined && verb !== 'delete' ? { value: `v${rest.version}` } : {}),
  ...rest,
});
const created = write('create', [0, 10], { version: '10' });
const updated = write('update', [20, 30], { version: '20', precondition: '10' });
const read = ([start, end]: Times, version?: string, mayBeOld?: boolean): ReadRecord => ({
  ...{ kind: 'read', client: 'r', ...place, start, end },
  ...(version === undefined ? {} : { found: { version, value: `v${version}` } }),
  ...(mayBeOld === undefined ? {} : { mayBeOld }),
});
const list = (
  [start, end]: Times,
  version: string,
  items: readonly (readonly [string, string])[],
): ListRecord => ({
  ...{ kind: 'list', client: 'l', resource: 'configmaps', start, end, version },
  items: items.map(([name, own]) => ({ namespace: 'a', name, version: own, value: `v${own}` })),
});
const watch = (at: number, from: string): HistoryRecord => ({
  ...{ kind: 'watch', watcher: 'w', at, resource: 'configmaps', from },
});
const event = (
  at: number,
  type: EventRecord['event'],
  version: string,
  value = `v${version}`,
): EventRecord => ({
  ...{ kind: 'event', watcher: 'w', at, event: type, namespace: 'a', name: 'x', version, value },
});
const bookmark = (at: number, version: string): HistoryRecord => ({
  kind: 'bookmark',
  watcher: 'w',
  at,
  version,
});
const ended = (at: number): HistoryRecord => ({ kind: 'watch-end', watcher: 'w', at });
const settled: HistoryRecord = { kind: 'settled', at: 1000 };
const added = event(40, 'ADDED', '10');
const modified = event(41, 'MODIFIED', '20');
const service = (name: string, [start, end]: Times, version: string, address: string): WriteRecord =>
  write('create', [start, end], { resource: 'services', name, version, holds: { clusterIP: address } });
const quota: HistoryRecord = {
  ...{ kind: 'quota', at: 1, namespace: 'a', resource: 'configmaps', hard: 1, version: '5' },
};
const namespaceEnd: readonly HistoryRecord[] = [
  { ...write('delete', [50, 60]), resource: 'namespaces', namespace: '', name: 'a' },
  { kind: 'watch', watcher: 'n', at: 0, resource: 'namespaces', from: '1' },
  {
    ...{
      kind: 'event',
      watcher: 'n',
      at: 70,
      event: 'DELETED',
      namespace: '',
      name: 'a',
      version: '60',
      value: '',
    },
  },
];
const unknown = { outcome: 'unknown', value: 'u' } as const;
const refused = (reason: string) => ({ outcome: 'refused', value: 'r', code: 409, reason }) as const;

type Case = readonly [what: string, check: CheckName | undefined, records: readonly HistoryRecord[]];

const cases: readonly Case[] = [
  ['an empty history', undefined, []],
  ['a write and its read', undefined, [created, updated, read([40, 50], '20')]],
  ['a read beside a write may be of either side', undefined, [created, updated, read([15, 25], '10')]],
  ['a read that may be old', undefined, [created, updated, read([40, 50], '10', true)]],
  ['an old read', 'reads', [created, updated, read([40, 50], '10')]],
  ['a read of a version of another object', 'versions', [created, { ...read([40, 50], '10'), name: 'y' }]],
  [
    'another value at the version',
    'versions',
    [created, { ...read([40, 50]), found: { version: '10', value: 'other' } }],
  ],
  [
    'a state from nowhere',
    'versions',
    [created, { ...read([40, 50]), found: { version: '15', value: 'n' } }],
  ],
  ['absence of what is there', 'reads', [created, read([40, 50])]],
  ['absence before the creation', undefined, [created, read([0, 5])]],
  ['absence after a deletion', undefined, [created, write('delete', [20, 30]), read([40, 50])]],
  [
    'presence after a deletion',
    'reads',
    [created, write('delete', [20, 30], { version: '20' }), read([40, 50], '10')],
  ],
  [
    'presence after a deletion without a version',
    'registers',
    [created, write('delete', [20, 30]), read([40, 50], '10')],
  ],
  [
    'two writes of one version',
    'versions',
    [created, write('create', [0, 10], { name: 'y', version: '10' })],
  ],
  [
    'a version below one that was shown',
    'versions',
    [created, updated, write('create', [40, 50], { name: 'y', version: '15' })],
  ],
  [
    'a version below a bookmark',
    'versions',
    [watch(0, '1'), bookmark(30, '20'), write('create', [40, 50], { version: '15' })],
  ],
  [
    'two updates of one version',
    'registers',
    [created, updated, write('update', [21, 31], { version: '21', precondition: '10' })],
  ],
  ['two creations', 'registers', [created, write('create', [20, 30], { version: '20' })]],
  ['an update of nothing', 'registers', [write('update', [20, 30], { version: '20' })]],
  [
    'a creation that was refused rightly',
    undefined,
    [created, write('create', [20, 30], refused('AlreadyExists'))],
  ],
  ['a creation that was refused wrongly', 'registers', [write('create', [20, 30], refused('AlreadyExists'))]],
  [
    'a conflict',
    undefined,
    [created, updated, write('update', [40, 50], { ...refused('Conflict'), precondition: '10' })],
  ],
  [
    'a conflict that is none',
    'registers',
    [created, write('update', [40, 50], { ...refused('Conflict'), precondition: '10' })],
  ],
  [
    'a conflict of a write without a precondition',
    'registers',
    [created, write('update', [40, 50], refused('Conflict'))],
  ],
  [
    'an update of what was not found though there',
    'registers',
    [created, write('update', [40, 50], refused('NotFound'))],
  ],
  [
    'a refused write that was done',
    'versions',
    [
      created,
      write('update', [20, 30], { ...refused('ServiceUnavailable'), value: 'v20' }),
      read([40, 50], '20'),
    ],
  ],
  [
    'a write of unknown outcome that was done later',
    undefined,
    [
      created,
      write('update', [20, 30], { ...unknown, precondition: '10' }),
      read([40, 50], '10'),
      { ...read([60, 70]), found: { version: '30', value: 'u' } },
    ],
  ],
  [
    'a write of unknown outcome that was done twice',
    'versions',
    [
      created,
      write('update', [20, 30], unknown),
      { ...read([40, 50]), found: { version: '30', value: 'u' } },
      { ...read([60, 70]), found: { version: '40', value: 'u' } },
    ],
  ],
  [
    'a refusal that an unknown deletion explains',
    undefined,
    [
      created,
      write('delete', [20, 30], { outcome: 'unknown' }),
      write('update', [40, 50], refused('NotFound')),
    ],
  ],
  [
    'a refusal that an unknown deletion cannot explain',
    'registers',
    [
      created,
      write('update', [40, 50], refused('NotFound')),
      write('delete', [60, 70], { outcome: 'unknown' }),
      read([55, 58], '10'),
    ],
  ],
  [
    'a deletion before a creation whose answer was lost long before it was done',
    undefined,
    [
      created,
      write('delete', [40, 50]),
      write('create', [20, 30], unknown),
      ...[
        watch(5, '5'),
        { ...added, at: 15 },
        event(60, 'DELETED', '40', 'v10'),
        event(61, 'ADDED', '50', 'u'),
        settled,
      ],
    ],
  ],
  [
    'a creation of unknown outcome and name',
    undefined,
    [
      write('create', [0, 10], { ...unknown, name: undefined as never }),
      { ...read([20, 30]), found: { version: '15', value: 'u' } },
    ],
  ],
  ['a list', undefined, [created, updated, list([40, 50], '20', [['x', '20']])]],
  ['a list that is old', 'reads', [created, updated, list([40, 50], '15', [['x', '10']])]],
  ['a list with an old item', 'reads', [created, updated, list([40, 50], '20', [['x', '10']])]],
  ['a list without an object', 'reads', [created, list([40, 50], '20', [])]],
  ['a list with an item of later', 'reads', [created, updated, list([22, 50], '15', [['x', '20']])]],
  [
    'a list with an object twice',
    'reads',
    [
      created,
      list([40, 50], '15', [
        ['x', '10'],
        ['x', '10'],
      ]),
    ],
  ],
  ['a watch', undefined, [created, updated, watch(35, '5'), added, modified, bookmark(50, '25'), settled]],
  [
    'a watch that goes on',
    undefined,
    [...[created, updated, watch(35, '5'), added, ended(40), watch(41, '10'), modified, settled]],
  ],
  ['a watch with a gap', 'watches', [created, updated, watch(35, '5'), modified]],
  [
    'a gap between two watches',
    'watches',
    [...[created, updated, watch(35, '5'), added, ended(40), watch(41, '10'), bookmark(42, '30'), settled]],
  ],
  ['a repeated event', 'watches', [created, updated, watch(35, '5'), added, modified, modified]],
  [
    'an event that an earlier watch showed',
    'watches',
    [...[created, updated, watch(35, '5'), added, ended(40), watch(41, '10'), added]],
  ],
  ['events in the wrong order', 'watches', [created, updated, watch(35, '5'), modified, added]],
  [
    'an event after a bookmark that covers it',
    'watches',
    [...[created, updated, watch(35, '5'), bookmark(36, '20'), added, modified]],
  ],
  [
    'a bookmark behind an event',
    'watches',
    [created, updated, watch(35, '5'), added, modified, bookmark(50, '15')],
  ],
  ['a write that is not shown to the end', 'watches', [created, updated, watch(35, '5'), added, settled]],
  [
    'a write that is not shown, as the watch had ended',
    undefined,
    [created, updated, watch(35, '5'), added, ended(45), settled],
  ],
  [
    'a deletion that is not shown to the end',
    'watches',
    [...[created, watch(5, '5'), { ...added, at: 15 }, write('delete', [20, 30]), settled]],
  ],
  [
    'a change of the wrong type',
    'watches',
    [created, updated, watch(35, '5'), added, event(41, 'ADDED', '20')],
  ],
  [
    'a deletion that no client asked for',
    'versions',
    [created, watch(5, '5'), added, event(50, 'DELETED', '30', 'v10')],
  ],
  ['addresses', undefined, [service('s', [0, 10], '10', '1.1.1.1'), service('t', [20, 30], '20', '1.1.1.2')]],
  [
    'one address for two',
    'addresses',
    [service('s', [0, 10], '10', '1.1.1.1'), service('t', [20, 30], '20', '1.1.1.1')],
  ],
  [
    'an address that was given up',
    undefined,
    [
      service('s', [0, 10], '10', '1.1.1.1'),
      write('delete', [12, 15], { resource: 'services', name: 's' }),
      service('t', [20, 30], '20', '1.1.1.1'),
    ],
  ],
  [
    'an address that is given up too late',
    'addresses',
    [
      service('s', [0, 10], '10', '1.1.1.1'),
      service('t', [20, 30], '20', '1.1.1.1'),
      write('delete', [40, 50], { resource: 'services', name: 's' }),
    ],
  ],
  ['a quota', undefined, [quota, created]],
  ['a quota exceeded', 'quotas', [quota, created, write('create', [20, 30], { name: 'y', version: '20' })]],
  [
    'a quota exceeded in a list',
    'quotas',
    [
      quota,
      list([40, 50], '40', [
        ['x', '10'],
        ['y', '20'],
      ]),
    ],
  ],
  [
    'a quota after a deletion',
    undefined,
    [quota, created, write('delete', [12, 15]), write('create', [20, 30], { name: 'y', version: '20' })],
  ],
  [
    'a namespace that ends',
    undefined,
    [...[created, ...namespaceEnd, watch(5, '5'), added, event(65, 'DELETED', '50', 'v10'), settled]],
  ],
  [
    'an object that outlives its namespace',
    'namespaces',
    [...[created, ...namespaceEnd, watch(5, '5'), added, event(75, 'DELETED', '70', 'v10')]],
  ],
  [
    'an object left in an ended namespace',
    'namespaces',
    [created, ...namespaceEnd, watch(5, '5'), added, settled],
  ],
  [
    'an object listed in an ended namespace',
    'namespaces',
    [...[created, ...namespaceEnd, list([80, 90], '80', [['x', '10']])]],
  ],
  [
    'a write into an ended namespace',
    'namespaces',
    [...namespaceEnd, write('create', [80, 90], { version: '80' })],
  ],
];

for (const [what, check, records] of cases)
  test(`${check === undefined ? 'nothing is wrong with' : `the check of ${check} finds`} ${what}`, () => {
    const { violations, undecided } = verifyHistory(records, { now: () => 0 });
    assert.deepEqual(undecided, []);
    if (check === undefined) assert.deepEqual(violations, []);
    else
      assert.ok(
        violations.some(each => each.check === check && each.records.length > 0),
        JSON.stringify(violations),
      );
  });

test('a search that exceeds its limit reports that, and no other violation', () => {
  const records: HistoryRecord[] = [created];
  for (let index = 0; index < 12; index++)
    records.push(write('update', [20, 500], { ...unknown, value: `u${index}` }));
  records.push(write('update', [510, 520], refused('NotFound')));
  const { violations, undecided } = verifyHistory(records, { now: () => 0, searchSteps: 200 });
  assert.deepEqual(violations, []);
  assert.deepEqual(undecided, ['configmaps/a/x']);
});
