import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, ListMeta } from '@binnacle/api-objects';
import { messageNamed } from '@binnacle/api-types';
import { encodeMessage } from '../test-drivers/encode-message.ts';
import { fullObject } from '../test-drivers/full-object.ts';
import {
  decodeProtobuf,
  encodeProtobuf,
  encodeProtobufListItem,
  protobufListFrame,
  writeProtobufWatchEvent,
} from './envelope.ts';
import { decodeMessage } from './message-decoder.ts';
import { WireReader } from './wire-reader.ts';
import { WireWriter } from './wire-writer.ts';

const configMap = messageNamed('core.v1.ConfigMap');
const pod = messageNamed('core.v1.Pod');
const servicePort = messageNamed('core.v1.ServicePort');

test('the envelope has the magic bytes, the type, the object and two empty strings', () => {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 404 };
  const bytes = encodeProtobuf(messageNamed('meta.v1.Status'), status);
  // A ListMeta without a pointer is always written, and so are the texts of Status.
  const object = '0a060a0012001a00' + '12074661696c757265' + '1a00' + '2200' + '309403';
  const expected = `6b387300${'0a0c0a0276311206537461747573'}12${(object.length / 2).toString(16)}${object}1a002200`;
  assert.equal(bytes.toString('hex'), expected);
  assert.equal(decodeProtobuf(bytes, messageNamed('meta.v1.Status')).object['code'], 404);
});

test('unset fields are written only if they are not pointers', () => {
  const bytes = encodeMessage(servicePort, { port: 80 });
  assert.equal(bytes.toString('hex'), '0a00120018502206080010001a002800');
  assert.equal(decodeMessage(servicePort, bytes)['port'], 80);
});

test('the zero time of Go is decoded as null', () => {
  const status = messageNamed('core.v1.PodStatus');
  const startTime = '0001-01-01T00:00:00Z';
  assert.equal(decodeMessage(status, encodeMessage(status, { startTime }))['startTime'] ?? null, null);
});

test('map entries are written in the order of their keys', () => {
  const one = encodeMessage(configMap, { metadata: { name: 'a' }, data: { b: '1', a: '2', ä: '3' } });
  const other = encodeMessage(configMap, { data: { ä: '3', a: '2', b: '1' }, metadata: { name: 'a' } });
  assert.deepEqual(one, other);
});

test('integers of all sizes are unchanged after encoding and decoding', () => {
  const writer = new WireWriter();
  const numbers = [
    0,
    1,
    127,
    128,
    300,
    2 ** 31,
    2 ** 35 + 5,
    2 ** 53 - 1,
    -1,
    -128,
    -(2 ** 31),
    -(2 ** 53 - 1),
  ];
  for (const number of [...numbers].reverse()) writer.integer(number);
  const reader = new WireReader(writer.finish());
  assert.deepEqual(
    numbers.map(() => reader.integer()),
    numbers,
  );
});

test('strings of any length and script are unchanged after encoding and decoding', () => {
  for (const text of ['', 'a', 'ä', `${'x'.repeat(47)}ß`, 'y'.repeat(48), '☃'.repeat(5000), '\ufffd']) {
    const bytes = encodeMessage(configMap, { metadata: { name: text || 'n' }, data: { k: text } });
    assert.deepEqual(decodeMessage(configMap, bytes)['data'], { k: text });
  }
});

const wrongBytes: [what: string, hex: string][] = [
  ['a cut length', '0a05'],
  ['a cut integer', '0880'],
  ['a text that is no UTF-8', '0a030a01ff'],
  ['a field number of zero', '0200'],
  ['a group', '0b0c'],
  ['a length beyond the message', '0a040a05616263'],
  ['an integer of more than ten bytes', '10ffffffffffffffffffffff01'],
  ['an impossible length', '0affffffffffffffff7f'],
];
for (const [what, hex] of wrongBytes) {
  test(`${what} is refused with 400`, () => {
    assert.throws(() => decodeMessage(configMap, Buffer.from(hex, 'hex')), { code: 400 });
  });
}

test('every truncated message is refused or decoded, without any other error', () => {
  const bytes = encodeMessage(pod, fullObject(pod, { elements: 1 }));
  for (let end = 0; end < bytes.length; end += 7) {
    try {
      decodeMessage(pod, bytes.subarray(0, end));
    } catch (error) {
      assert.equal(Reflect.get(error as object, 'code'), 400);
    }
  }
});

test('messages that nest deeper than 100 are refused', () => {
  const schema = messageNamed('apiextensions.v1.JSONSchemaProps');
  let deep: JsonObject = { title: 'x' };
  for (let i = 0; i < 150; i++) deep = { not: deep };
  const bytes = encodeMessage(schema, deep);
  assert.throws(() => decodeMessage(schema, bytes), { code: 400, message: /deeper than 100/ });
});

test('a body without the magic bytes, or with nothing after them, is refused', () => {
  for (const text of ['', 'abc', 'k8s\0'])
    assert.throws(() => decodeProtobuf(Buffer.from(text), pod), { code: 400 });
});

test('unknown fields are skipped', () => {
  const bytes = Buffer.concat([
    encodeMessage(configMap, { metadata: { name: 'a' } }),
    Buffer.from('f83f05fa3f0141', 'hex'),
  ]);
  assert.deepEqual((decodeMessage(configMap, bytes)['metadata'] as JsonObject)['name'], 'a');
});

test('a list carries its metadata and bare items', () => {
  const bytes = encodeConfigMaps([{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }], {
    resourceVersion: '9',
  });
  const { kind, object } = decodeProtobuf(bytes, messageNamed('core.v1.ConfigMapList'));
  assert.equal(kind, 'ConfigMapList');
  assert.deepEqual((object['metadata'] as JsonObject)['resourceVersion'], '9');
  assert.deepEqual(
    (object['items'] as { metadata: { name: string } }[]).map(item => item.metadata.name),
    ['a', 'b'],
  );
});

test('a list of encoded items is equal to the encoded list', () => {
  const items = Array.from({ length: 300 }, (_, i) => ({
    metadata: { name: `n${i}` },
    data: { k: 'v'.repeat(i) },
  }));
  const listMeta = { resourceVersion: '9', continue: 'abc', remainingItemCount: 7 };
  for (const count of [0, 1, 300]) {
    const shown = items.slice(0, count);
    const list = { kind: 'ConfigMapList', apiVersion: 'v1', metadata: listMeta, items: shown };
    const whole = encodeProtobuf(messageNamed('core.v1.ConfigMapList'), list);
    assert.deepEqual(encodeConfigMaps(shown, listMeta), whole);
  }
});

test('a watch frame has a length, the type and the object in its envelope', () => {
  const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' }, data: { k: 'v' } };
  const envelope = encodeProtobuf(configMap, object);
  const written = (withLength: boolean) =>
    writeProtobufWatchEvent({ type: 'ADDED', message: configMap, object }, withLength, size => ({
      buffer: Buffer.alloc(size + 3),
      contentStart: 2,
    })).subarray(2, -1);
  const frame = written(true);
  assert.equal(frame.readUInt32BE(0), frame.length - 4);
  assert.equal(frame.subarray(4, 11).toString('latin1'), '\n\u0005ADDED');
  assert.deepEqual(frame.subarray(-envelope.length), envelope);
  assert.deepEqual(written(false), frame.subarray(4));
});

function encodeConfigMaps(objects: readonly JsonObject[], listMeta: ListMeta): Buffer {
  const items = objects.map(object => encodeProtobufListItem(configMap, object));
  const size = items.reduce((sum, item) => sum + item.length, 0);
  const { start, end } = protobufListFrame({ apiVersion: 'v1', kind: 'ConfigMapList', listMeta }, size);
  return Buffer.concat([start, ...items, end]);
}
