import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHistory } from './history.ts';
import { historyLines, readHistory } from './read-history.ts';
import { type HistoryRecord, historyHeader } from './records.ts';

const header = JSON.stringify(historyHeader);
const write: HistoryRecord = {
  ...{ kind: 'write', client: 'c', start: 1, end: 2.5, verb: 'create', resource: 'configmaps' },
  ...{ namespace: 'a', name: 'x', value: '1', outcome: 'ok', version: '12', holds: { port: '80' } },
};

test('records are read back as they were written', async () => {
  const records: HistoryRecord[] = [
    write,
    { kind: 'watch', watcher: 'w', at: 1, resource: 'configmaps', from: '1' },
    { kind: 'bookmark', watcher: 'w', at: 2, version: '3' },
    { kind: 'fault', start: 1, end: 2, what: 'kill etcd-1' },
    { kind: 'settled', at: 9 },
  ];
  assert.deepEqual(await readHistory(historyLines(records)), records);
});

for (const [what, lines, message] of [
  ['an empty file', [], /^the file is empty$/],
  ['another file', ['{"a":1}'], /^line 1: must be /],
  [
    'another version of the format',
    ['{"format":"binnacle-history","formatVersion":2}'],
    /formatVersion must be 1/,
  ],
  ['what is no JSON', [header, '{'], /^line 2: /],
  ['an unknown kind', [header, '{"kind":"x"}'], /^line 2: kind must be one of write, /],
  ['a missing field', [header, '{"kind":"settled"}'], /^line 2: settled: at is missing$/],
  ['an unknown field', [header, '{"kind":"settled","at":1,"b":1}'], /there is no field b$/],
  ['a wrong value', [header, '{"kind":"settled","at":"1"}'], /at has a value that is not allowed$/],
  ['a version that is no number', [header, JSON.stringify({ ...write, version: 'x' })], /version "x" is not/],
  ['an end before its start', [header, JSON.stringify({ ...write, end: 0 })], /end is before start/],
  [
    'a write without a version',
    [header, JSON.stringify({ ...write, version: undefined })],
    /version is missing/,
  ],
] as const)
  test(`${what} is refused with its line number`, async () => {
    await assert.rejects(readHistory(lines), { message });
  });

test('impossible records of a watcher are refused', () => {
  const watch: HistoryRecord = { kind: 'watch', watcher: 'w', at: 1, resource: 'configmaps', from: '1' };
  const bookmark: HistoryRecord = { kind: 'bookmark', watcher: 'w', at: 2, version: '3' };
  assert.throws(() => createHistory([watch, watch]), /two watches at once/);
  assert.throws(() => createHistory([bookmark]), /no watch open/);
  const other: HistoryRecord = { ...watch, resource: 'secrets' };
  assert.throws(
    () => createHistory([watch, { kind: 'watch-end', watcher: 'w', at: 2 }, other]),
    /two collections/,
  );
});
