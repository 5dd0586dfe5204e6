import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonValue } from '@binnacle/api-objects';
import { messageNamed } from '@binnacle/api-types';
import { runCounted } from '@binnacle/event-loop/testing';
import { checkObject, decodeBodyAtOnce } from '../decode-body.ts';
import { decodePatchAtOnce } from '../decode-patch.ts';
import { encodeProtobuf } from '../protobuf/envelope.ts';
import { countJson, countJsonSteps } from './json-scan.ts';

const definition = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  message: messageNamed('core.v1.ConfigMap'),
};
const target = { definition, fieldValidation: 'Warn' } as const;

function many(count: number, text: string): string {
  return Array.from({ length: count }, () => text).join();
}

function named(count: number): { [key: string]: string } {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, '']));
}

test('members and elements are counted, brackets within strings are not', () => {
  for (const [text, members, values] of [
    ['{}', 0, 0],
    ['{"a":1,"b":[1,2,3],"c":{"d":",:[{\\",:"}}', 4, 7],
    ['[[1,2],[3]]', 0, 5],
    ['[[],{}]', 0, 3],
  ] as const)
    assert.deepEqual(
      countJson(Buffer.from(text)),
      { members, values, hasExponents: false, hasFloats: false },
      text,
    );
});

test('long text is counted in steps with the same result as at once', () => {
  const list = Array.from({ length: 5000 }, (_, i) => ({ [`k${i}`]: [i, 'x,"]}{[\\:1e5', { e: 1.5 }] }));
  const texts = [
    JSON.stringify(list),
    JSON.stringify({ a: { list, text: '"\\'.repeat(200_000) }, list }),
    JSON.stringify({ list }, null, 4),
    `[${'{"a":[1e3,{}],"b":"\\""},'.repeat(15_000)}1`,
    `{"a":"${'x'.repeat(400_000)}`,
    `${JSON.stringify(list)}\\"`,
  ];
  for (const text of texts) {
    const bytes = Buffer.from(text);
    const { result, steps } = runCounted(countJsonSteps(bytes));
    assert.deepEqual(result, countJson(bytes));
    assert.ok(steps > 1, `${steps} steps`);
  }
});

describe('a body with too many values is refused with 413', () => {
  const bodies: [what: string, body: string][] = [
    ['members', `{"data":{${many(100_001, '"a":""')}}}`],
    ['empty texts', `{"metadata":{"finalizers":[${many(1_000_000, '""')}]}}`],
    ['empty objects', `{"x":[${many(1_000_000, '{}')}]}`],
    ['empty lists', `{"x":[${many(1_000_000, '[]')}]}`],
  ];
  for (const [what, body] of bodies) {
    test(`${what} in JSON, before they are parsed`, () => {
      const refused = { code: 413, reason: 'RequestEntityTooLarge', message: /more than 100000 values/ };
      // The text after the limit is invalid JSON, which shows that it was not parsed.
      assert.throws(() => decodeBodyAtOnce(Buffer.from(`${body}!`), 'application/json', target), refused);
      assert.throws(() => decodePatchAtOnce(Buffer.from(`${body}!`), 'object'), refused);
    });
  }
  const entry = Buffer.from('12050a01611200', 'hex');
  const messages: [what: string, message: Buffer][] = [
    ['unknown fields', Buffer.alloc(3 * 100_001, Buffer.from('f80100', 'hex'))],
    ['keys of one entry', lengthed(0x12, Buffer.alloc(2 * 100_002, Buffer.from('0a00', 'hex')))],
  ];
  for (const [what, message] of messages) {
    test(`${what} in protobuf`, () => {
      const body = Buffer.concat([Buffer.from('k8s\0'), lengthed(0x12, message)]);
      assert.throws(() => decodeBodyAtOnce(body, 'application/vnd.cluster.protobuf', target), {
        code: 413,
        message: /more than 100000 values/,
      });
    });
  }

  test('map entries in protobuf, as soon as they exceed the limit', () => {
    const entries = Buffer.alloc(entry.length * 25_001, entry);
    // The bytes after the limit are an invalid entry, which shows that they were not read.
    const message = Buffer.concat([entries, Buffer.from('12ff', 'hex')]);
    const body = Buffer.concat([Buffer.from('k8s\0'), lengthed(0x12, message)]);
    assert.throws(() => decodeBodyAtOnce(body, 'application/vnd.cluster.protobuf', target), {
      code: 413,
      message: /more than 25000 values/,
    });
  });
});

function lengthed(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = [
    (length & 0x7f) | 0x80,
    ((length >> 7) & 0x7f) | 0x80,
    ((length >> 14) & 0x7f) | 0x80,
    length >> 21,
  ];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

describe('an object with too many values', () => {
  const large = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' }, data: named(25_000) };
  const refused = { code: 413, message: /more than 25000 values/ };

  test('is refused with 413 in every encoding', () => {
    const text = Buffer.from(JSON.stringify(large));
    for (const mediaType of ['application/json', 'application/yaml'])
      assert.throws(() => decodeBodyAtOnce(text, mediaType, target), refused);
    const bytes = encodeProtobuf(definition, large);
    assert.throws(() => decodeBodyAtOnce(bytes, 'application/vnd.cluster.protobuf', target), refused);
  });

  test('is refused with 413 as the result of a patch', () => {
    assert.throws(() => checkObject(definition, structuredClone(large) as JsonValue, 'Warn'), refused);
  });

  test('may have managed fields with as many values in addition', () => {
    const fieldsV1 = Object.fromEntries(Array.from({ length: 24_000 }, (_, i) => [`f:k${i}`, {}]));
    const managedFields = [{ operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1 }];
    const object = { metadata: { name: 'a', managedFields }, data: named(24_000) };
    const { warnings } = decodeBodyAtOnce(Buffer.from(JSON.stringify(object)), 'application/json', target);
    assert.deepEqual(warnings, []);
  });
});
