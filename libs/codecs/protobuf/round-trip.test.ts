import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatApiVersion, type JsonObject } from '@binnacle/api-objects';
import { messageNamed } from '@binnacle/api-types';
import { StatusError } from '@binnacle/status-errors';
import { decodeBodyAtOnce } from '../decode-body.ts';
import {
  type BodyDefinition,
  encodeProtobuf,
  jsonMediaType,
  protobufMediaType,
  yamlMediaType,
} from '../index.ts';
import { encodeMessage } from '../test-drivers/encode-message.ts';
import { fullObject } from '../test-drivers/full-object.ts';
import { bodyDefinitions } from '../test-drivers/kinds.ts';
import { decodeMessage } from './message-decoder.ts';

const definitions = bodyDefinitions();

function fullBody(definition: BodyDefinition, elements: number): JsonObject {
  const { kind, message } = definition;
  return { kind, apiVersion: formatApiVersion(definition), ...fullObject(message, { elements }) };
}

function decode(definition: BodyDefinition, bytes: Buffer, mediaType: string) {
  const { object, warnings } = decodeBodyAtOnce(bytes, mediaType, { definition, fieldValidation: 'Strict' });
  assert.deepEqual(warnings, []);
  // Request options have no metadata field, which decodeBody adds.
  if (!definition.message.fields.has('metadata')) Reflect.deleteProperty(object, 'metadata');
  return object;
}

describe('a fully populated object', () => {
  for (const definition of definitions) {
    it(`of ${definition.kind} in ${formatApiVersion(definition)} is unchanged after JSON, protobuf and JSON`, () => {
      const full = fullBody(definition, 2);
      const fromJson = decode(definition, Buffer.from(JSON.stringify(full)), jsonMediaType);
      assert.deepEqual(fromJson, full);
      const bytes = encodeProtobuf(definition, fromJson);
      const fromProtobuf = decode(definition, bytes, protobufMediaType);
      assert.deepEqual(fromProtobuf, full);
      assert.deepEqual(encodeProtobuf(definition, fromProtobuf), bytes);
    });
  }

  it('is unchanged after YAML', () => {
    const pod = definitions.find(({ kind }) => kind === 'Pod');
    assert.ok(pod);
    const full = fullBody(pod, 1);
    assert.deepEqual(decode(pod, Buffer.from(JSON.stringify(full, null, 1)), yamlMediaType), full);
  });
});

describe('a schema in a definition', () => {
  const schema = messageNamed('apiextensions.v1.JSONSchemaProps');

  for (const [what, value, hex] of [
    ['anything is allowed', { additionalProperties: true }, '0801'],
    ['nothing more is allowed', { additionalProperties: false }, '0800'],
  ] as const) {
    it(`encodes in additionalProperties that ${what}`, () => {
      const bytes = encodeMessage(schema, { ...value });
      assert.ok(bytes.includes(Buffer.from(`f20102${hex}`, 'hex')), bytes.toString('hex'));
      assert.deepEqual(decodeMessage(schema, bytes), value);
    });
  }

  it('encodes a schema in additionalProperties', () => {
    const bytes = encodeMessage(schema, { additionalProperties: { type: 'string' } });
    assert.match(bytes.toString('hex'), /f201(?:..)080112/);
    assert.deepEqual(decodeMessage(schema, bytes), { additionalProperties: { type: 'string' } });
  });

  for (const value of [
    { items: { type: 'string' } },
    { items: [{ type: 'string' }, { type: 'integer' }] },
    { dependencies: { a: ['b', 'c'], d: { required: ['e'] } } },
    { additionalItems: { not: { items: { additionalProperties: false } } } },
  ]) {
    it(`is unchanged: ${JSON.stringify(value)}`, () => {
      assert.deepEqual(decodeMessage(schema, encodeMessage(schema, value)), value);
    });
  }
});

describe('invalid protobuf', () => {
  for (const definition of definitions) {
    it(`is refused with 400 as ${definition.kind} in ${formatApiVersion(definition)}, whatever is wrong`, () => {
      const bytes = encodeProtobuf(definition, fullBody(definition, 1));
      const random = createRandom(bytes.length);
      for (let i = 0; i < 30; i++) {
        tryToDecode(definition, bytes.subarray(0, Math.floor(random() * bytes.length)));
        tryToDecode(definition, withFlippedBits(bytes, random));
      }
    });
  }

  it('is refused with 400 when it is random', () => {
    const pod = definitions.find(({ kind }) => kind === 'Pod');
    assert.ok(pod);
    const random = createRandom(7);
    for (let i = 0; i < 500; i++) {
      const noise = Buffer.from(Array.from({ length: 64 }, () => Math.floor(random() * 256)));
      tryToDecode(pod, Buffer.concat([Buffer.from('6b3873001240', 'hex'), noise]));
    }
  });
});

/** Decodes damaged bytes, which may still be a message; otherwise the error must be a 400. */
function tryToDecode(definition: BodyDefinition, bytes: Buffer): void {
  try {
    decodeBodyAtOnce(bytes, protobufMediaType, { definition, fieldValidation: 'Strict' });
  } catch (error) {
    assert.ok(error instanceof StatusError, String(error));
    assert.equal(error.code, 400);
  }
}

function withFlippedBits(bytes: Buffer, random: () => number): Buffer {
  const damaged = Buffer.from(bytes);
  for (let i = 0; i < 3; i++) {
    const at = Math.floor(random() * damaged.length);
    damaged[at] = damaged[at]! ^ (1 << Math.floor(random() * 8)); // The index is within the bytes.
  }
  return damaged;
}

/** Creates a seeded source of random numbers in [0, 1). */
function createRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}
