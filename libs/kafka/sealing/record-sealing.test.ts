import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TopicRecord } from '../topic/topic-record.ts';
import { type FeedKeys, readFeedKeys } from './feed-keys.ts';
import { type OpenedRecord, RecordOpener } from './record-opener.ts';
import { RecordSealer } from './record-sealer.ts';

const [first, second] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];

async function keysOf(...lines: readonly string[]): Promise<FeedKeys> {
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-feed-keys-'));
  const file = join(directory, 'keys');
  await writeFile(file, lines.join('\n'));
  try {
    return await readFeedKeys(file);
  } finally {
    await rm(directory, { recursive: true });
  }
}

const keys = await keysOf(first);

/** Seals texts for one partition, as they then lie in the topic. */
function sealed(sealer: RecordSealer, texts: readonly string[], place = { partition: 0, key: 'core/pods' }) {
  return texts.map((text, index): TopicRecord => {
    const { value, seal } = sealer.seal({ ...place, value: Buffer.from(text) });
    return { offset: BigInt(index), key: Buffer.from(place.key), value, seal };
  });
}

const inClear = (text: string): TopicRecord => ({
  offset: 0n,
  key: null,
  value: Buffer.from(text),
  seal: undefined,
});

/** What a reader makes of records: their texts, `!` before one that does not follow, or why one is refused. */
const readBy = (opener: RecordOpener, records: readonly TopicRecord[], partition = 0) =>
  records.map(record => said(opener.open(partition, record)));

function said(opened: OpenedRecord): string {
  if (opened.kind === 'refused') return `<${opened.reason}>`;
  return `${opened.follows ? '' : '!'}${opened.value}`;
}

const openerOf = (some: FeedKeys | undefined, acceptUnsealed = false) =>
  new RecordOpener({ keys: some, acceptUnsealed }, 'changes');

test('sealed records open in order, from wherever the reader begins, and again when it goes back', () => {
  const records = sealed(new RecordSealer(keys, 'changes'), ['a', 'b', 'c', 'd']);
  for (const record of records) assert.ok(!record.value.includes('abcd'));
  assert.deepEqual(readBy(openerOf(keys), records), ['a', 'b', 'c', 'd']);
  const late = openerOf(keys);
  assert.deepEqual(readBy(late, records.slice(1)), ['b', 'c', 'd']);
  assert.deepEqual(readBy(late, records.slice(2)), ['c', 'd']);
});

test('the same value is never sealed to the same bytes: not twice, not by two sealers, not in two partitions', () => {
  const [one, other] = [new RecordSealer(keys, 'changes'), new RecordSealer(keys, 'changes')];
  const text = 'x'.repeat(64);
  const places = [0, 1].map(partition => ({ partition, key: 'core/pods' }));
  const all = [one, other].flatMap(sealer => places.flatMap(place => sealed(sealer, [text, text], place)));
  assert.equal(new Set(all.map(({ value }) => value.toString('hex'))).size, 8);
});

const forgeries: readonly (readonly [
  what: string,
  forge: (record: TopicRecord) => TopicRecord,
  refusal: string,
])[] = [
  ['in clear', record => ({ ...record, seal: undefined }), '<unsealed>'],
  ['with another key', record => ({ ...record, key: Buffer.from('core/secrets') }), '<forged>'],
  ['without a key', record => ({ ...record, key: null }), '<forged>'],
  ['with a bit turned in the value', record => ({ ...record, value: turned(record.value, 0) }), '<forged>'],
  [
    'with a shorter value',
    record => ({ ...record, value: record.value.subarray(0, record.value.length - 1) }),
    '<forged>',
  ],
  ['with another version', record => ({ ...record, seal: turned(record.seal, 0) }), '<malformed>'],
  ['with another key id', record => ({ ...record, seal: turned(record.seal, 1) }), '<unknown-key>'],
  ['with another salt', record => ({ ...record, seal: turned(record.seal, 9) }), '<forged>'],
  ['with another number', record => ({ ...record, seal: turned(record.seal, 32) }), '<forged>'],
  ['with a number beyond all', record => ({ ...record, seal: turned(record.seal, 25, 0xff) }), '<malformed>'],
  ['with another tag', record => ({ ...record, seal: turned(record.seal, 48) }), '<forged>'],
  [
    'with a header cut off',
    record => ({ ...record, seal: bytesOf(record.seal).subarray(0, 48) }),
    '<malformed>',
  ],
  ['with two headers', record => ({ ...record, seal: [bytesOf(record.seal)] }), '<malformed>'],
];

function turned(value: TopicRecord['seal'], at: number, mask = 1): Buffer {
  const copy = Buffer.from(bytesOf(value));
  copy[at] = (copy[at] ?? 0) ^ mask;
  return copy;
}

function bytesOf(value: TopicRecord['seal']): Buffer {
  assert.ok(Buffer.isBuffer(value));
  return value;
}

for (const [what, forge, refusal] of forgeries) {
  test(`a record ${what} is refused, and genuine ones around it are read as if it were not there`, () => {
    const [one, other, last] = sealed(new RecordSealer(keys, 'changes'), ['a', 'b', 'c']);
    assert.ok(one && other && last);
    assert.deepEqual(readBy(openerOf(keys), [one, forge(other), other, last]), ['a', refusal, 'b', 'c']);
    // In the place of the genuine one it leaves a hole.
    assert.deepEqual(readBy(openerOf(keys), [one, forge(other), last]), ['a', refusal, '!c']);
  });
}

test('a record opens in its own partition and topic alone', () => {
  const records = sealed(new RecordSealer(keys, 'changes'), ['a'], { partition: 3, key: 'core/pods' });
  assert.deepEqual(readBy(openerOf(keys), records, 3), ['a']);
  assert.deepEqual(readBy(openerOf(keys), records, 2), ['<forged>']);
  const elsewhere = new RecordOpener({ keys, acceptUnsealed: false }, 'other');
  assert.deepEqual(readBy(elsewhere, records, 3), ['<forged>']);
});

test('records that are taken away or exchanged show', () => {
  const [a, b, c, d] = sealed(new RecordSealer(keys, 'changes'), ['a', 'b', 'c', 'd']);
  assert.ok(a && b && c && d);
  assert.deepEqual(readBy(openerOf(keys), [a, b, d]), ['a', 'b', '!d']);
  assert.deepEqual(readBy(openerOf(keys), [a, c, b, d]), ['a', '!c', 'b', 'd']);
});

test('publishers that follow or overlap each other are read as one stream; one that begins late shows a hole', () => {
  const old = sealed(new RecordSealer(keys, 'changes'), ['1', '2', '3', '4']);
  const next = sealed(new RecordSealer(keys, 'changes'), ['a', 'b', 'c']);
  const mixed = [old[0]!, old[1]!, next[0]!, old[2]!, next[1]!, next[2]!, old[3]!];
  assert.deepEqual(readBy(openerOf(keys), mixed), ['1', '2', 'a', '3', 'b', 'c', '4']);
  assert.deepEqual(readBy(openerOf(keys), [old[0]!, next[1]!, next[2]!]), ['1', '!b', 'c']);
});

test('keys are exchanged one by one: what any of them sealed opens, what none did is refused', async () => {
  const [before, after] = [await keysOf(first, second), await keysOf(second, first)];
  const records = [
    ...sealed(new RecordSealer(before, 'changes'), ['old']),
    ...sealed(new RecordSealer(after, 'changes'), ['new']),
  ];
  assert.deepEqual(readBy(openerOf(before), records), ['old', 'new']);
  assert.deepEqual(readBy(openerOf(after), records), ['old', 'new']);
  assert.deepEqual(readBy(openerOf(await keysOf(second)), records), ['<unknown-key>', 'new']);
});

test('without keys records in clear are read and sealed ones refused; with keys the other way round', () => {
  const records = [inClear('x'), ...sealed(new RecordSealer(keys, 'changes'), ['a']), inClear('y')];
  assert.deepEqual(readBy(openerOf(undefined), records), ['x', '<sealed>', '!y']);
  assert.deepEqual(readBy(openerOf(keys), records), ['<unsealed>', 'a', '<unsealed>']);
  assert.deepEqual(readBy(openerOf(keys, true), records), ['x', 'a', 'y']);
});
