import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TopicRecord } from '../topic/topic-record.ts';
import { type FeedKeys, readFeedKeys } from './feed-keys.ts';
import { RecordEncryptor } from './record-encryptor.ts';
import { type OpenedRecord, RecordOpener } from './record-opener.ts';

const [first, second] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];

async function listKeys(...lines: readonly string[]): Promise<FeedKeys> {
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-feed-keys-'));
  const file = join(directory, 'keys');
  await writeFile(file, lines.join('\n'));
  try {
    return await readFeedKeys(file);
  } finally {
    await rm(directory, { recursive: true });
  }
}

const keys = await listKeys(first);

/** Encrypts texts for one partition; returns them as records of the topic. */
function encrypted(
  encryptor: RecordEncryptor,
  texts: readonly string[],
  place = { partition: 0, key: 'core/pods' },
) {
  return texts.map((text, index): TopicRecord => {
    const { value, encryptionHeader } = encryptor.encrypt({ ...place, value: Buffer.from(text) });
    return { offset: BigInt(index), key: Buffer.from(place.key), value, encryptionHeader };
  });
}

const inClear = (text: string): TopicRecord => ({
  offset: 0n,
  key: null,
  value: Buffer.from(text),
  encryptionHeader: undefined,
});

/** Opens records; returns their texts, with `!` before one that does not follow, or the reason of a refusal. */
const readBy = (opener: RecordOpener, records: readonly TopicRecord[], partition = 0) =>
  records.map(record => said(opener.open(partition, record)));

function said(opened: OpenedRecord): string {
  if (opened.kind === 'refused') return `<${opened.reason}>`;
  return `${opened.follows ? '' : '!'}${opened.value}`;
}

const createOpener = (some: FeedKeys | undefined, acceptUnencrypted = false) =>
  new RecordOpener({ keys: some, acceptUnencrypted }, 'changes');

test('encrypted records can be read in order from any position, and again after a seek back', () => {
  const records = encrypted(new RecordEncryptor(() => keys, 'changes'), ['a', 'b', 'c', 'd']);
  for (const record of records) assert.ok(!record.value.includes('abcd'));
  assert.deepEqual(readBy(createOpener(keys), records), ['a', 'b', 'c', 'd']);
  const late = createOpener(keys);
  assert.deepEqual(readBy(late, records.slice(1)), ['b', 'c', 'd']);
  assert.deepEqual(readBy(late, records.slice(2)), ['c', 'd']);
});

test('a value is encrypted to different bytes each time, by each encryptor and in each partition', () => {
  const [one, other] = [
    new RecordEncryptor(() => keys, 'changes'),
    new RecordEncryptor(() => keys, 'changes'),
  ];
  const text = 'x'.repeat(64);
  const places = [0, 1].map(partition => ({ partition, key: 'core/pods' }));
  const all = [one, other].flatMap(encryptor =>
    places.flatMap(place => encrypted(encryptor, [text, text], place)),
  );
  assert.equal(new Set(all.map(({ value }) => value.toString('hex'))).size, 8);
});

const forgeries: readonly (readonly [
  what: string,
  forge: (record: TopicRecord) => TopicRecord,
  refusal: string,
])[] = [
  ['in clear', record => ({ ...record, encryptionHeader: undefined }), '<unencrypted>'],
  ['with another key', record => ({ ...record, key: Buffer.from('core/secrets') }), '<forged>'],
  ['without a key', record => ({ ...record, key: null }), '<forged>'],
  ['with a bit turned in the value', record => ({ ...record, value: turned(record.value, 0) }), '<forged>'],
  [
    'with a shorter value',
    record => ({ ...record, value: record.value.subarray(0, record.value.length - 1) }),
    '<forged>',
  ],
  [
    'with another version',
    record => ({ ...record, encryptionHeader: turned(record.encryptionHeader, 0) }),
    '<malformed>',
  ],
  [
    'with another key id',
    record => ({ ...record, encryptionHeader: turned(record.encryptionHeader, 1) }),
    '<unknown-key>',
  ],
  [
    'with another salt',
    record => ({ ...record, encryptionHeader: turned(record.encryptionHeader, 9) }),
    '<forged>',
  ],
  [
    'with another number',
    record => ({ ...record, encryptionHeader: turned(record.encryptionHeader, 32) }),
    '<forged>',
  ],
  [
    'with a number beyond all',
    record => ({ ...record, encryptionHeader: turned(record.encryptionHeader, 25, 0xff) }),
    '<malformed>',
  ],
  [
    'with another tag',
    record => ({ ...record, encryptionHeader: turned(record.encryptionHeader, 48) }),
    '<forged>',
  ],
  [
    'with a header cut off',
    record => ({ ...record, encryptionHeader: toBytes(record.encryptionHeader).subarray(0, 48) }),
    '<malformed>',
  ],
  [
    'with two headers',
    record => ({ ...record, encryptionHeader: [toBytes(record.encryptionHeader)] }),
    '<malformed>',
  ],
];

function turned(value: TopicRecord['encryptionHeader'], at: number, mask = 1): Buffer {
  const copy = Buffer.from(toBytes(value));
  copy[at] = (copy[at] ?? 0) ^ mask;
  return copy;
}

function toBytes(value: TopicRecord['encryptionHeader']): Buffer {
  assert.ok(Buffer.isBuffer(value));
  return value;
}

for (const [what, forge, refusal] of forgeries) {
  test(`a record ${what} is refused, and the genuine records around it are read as without it`, () => {
    const [one, other, last] = encrypted(new RecordEncryptor(() => keys, 'changes'), ['a', 'b', 'c']);
    assert.ok(one && other && last);
    assert.deepEqual(readBy(createOpener(keys), [one, forge(other), other, last]), ['a', refusal, 'b', 'c']);
    // A forged record in place of the genuine one leaves a gap.
    assert.deepEqual(readBy(createOpener(keys), [one, forge(other), last]), ['a', refusal, '!c']);
  });
}

test('a record can be decrypted in its own partition and topic only', () => {
  const records = encrypted(new RecordEncryptor(() => keys, 'changes'), ['a'], {
    partition: 3,
    key: 'core/pods',
  });
  assert.deepEqual(readBy(createOpener(keys), records, 3), ['a']);
  assert.deepEqual(readBy(createOpener(keys), records, 2), ['<forged>']);
  const elsewhere = new RecordOpener({ keys, acceptUnencrypted: false }, 'other');
  assert.deepEqual(readBy(elsewhere, records, 3), ['<forged>']);
});

test('removed and reordered records are detected', () => {
  const [a, b, c, d] = encrypted(new RecordEncryptor(() => keys, 'changes'), ['a', 'b', 'c', 'd']);
  assert.ok(a && b && c && d);
  assert.deepEqual(readBy(createOpener(keys), [a, b, d]), ['a', 'b', '!d']);
  assert.deepEqual(readBy(createOpener(keys), [a, c, b, d]), ['a', '!c', 'b', 'd']);
});

test('consecutive and overlapping publishers are read as one stream, and a gap before a new one is detected', () => {
  const old = encrypted(new RecordEncryptor(() => keys, 'changes'), ['1', '2', '3', '4']);
  const next = encrypted(new RecordEncryptor(() => keys, 'changes'), ['a', 'b', 'c']);
  const mixed = [old[0]!, old[1]!, next[0]!, old[2]!, next[1]!, next[2]!, old[3]!];
  assert.deepEqual(readBy(createOpener(keys), mixed), ['1', '2', 'a', '3', 'b', 'c', '4']);
  assert.deepEqual(readBy(createOpener(keys), [old[0]!, next[1]!, next[2]!]), ['1', '!b', 'c']);
});

test('keys are rotated one by one: records of every accepted key are read, and of other keys refused', async () => {
  const [before, after] = [await listKeys(first, second), await listKeys(second, first)];
  const records = [
    ...encrypted(new RecordEncryptor(() => before, 'changes'), ['old']),
    ...encrypted(new RecordEncryptor(() => after, 'changes'), ['new']),
  ];
  assert.deepEqual(readBy(createOpener(before), records), ['old', 'new']);
  assert.deepEqual(readBy(createOpener(after), records), ['old', 'new']);
  assert.deepEqual(readBy(createOpener(await listKeys(second)), records), ['<unknown-key>', 'new']);
});

test('without keys only plaintext records are read, and with keys only encrypted ones', () => {
  const records = [
    inClear('x'),
    ...encrypted(new RecordEncryptor(() => keys, 'changes'), ['a']),
    inClear('y'),
  ];
  assert.deepEqual(readBy(createOpener(undefined), records), ['x', '<encrypted>', '!y']);
  assert.deepEqual(readBy(createOpener(keys), records), ['<unencrypted>', 'a', '<unencrypted>']);
  assert.deepEqual(readBy(createOpener(keys, true), records), ['x', 'a', 'y']);
});

test('a writer whose key is exchanged goes on in a new session, and misses no record', async () => {
  let current = await listKeys(first, second);
  const reader = createOpener(await listKeys(first, second));
  const encryptor = new RecordEncryptor(() => current, 'changes');
  const texts = [...encrypted(encryptor, ['a', 'b'])];
  const sameKey = await listKeys(first);
  current = sameKey;
  texts.push(...encrypted(encryptor, ['c']));
  current = await listKeys(second, first);
  const after = encrypted(encryptor, ['d', 'e']);
  assert.deepEqual(readBy(reader, [...texts, ...after]), ['a', 'b', 'c', 'd', 'e']);
  assert.deepEqual(readBy(createOpener(sameKey), after), ['<unknown-key>', '<unknown-key>']);
});
