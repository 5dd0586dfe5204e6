import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import protobuf from 'protobufjs';
import { generateContracts } from './generate-contracts.ts';
import { loadProtos } from './load-protos.ts';
import { generatedFileName, lowerFirst } from './names.ts';

const protoDirectory = fileURLToPath(new URL('../../proto/', import.meta.url));

interface Codec {
  encode(message: unknown): Uint8Array;
  decode(bytes: Uint8Array): unknown;
}

async function loadCodec(protoName: string, message: string): Promise<Codec> {
  const path = join(protoDirectory, 'generated', generatedFileName(protoName));
  const module = (await import(pathToFileURL(path).href)) as Record<string, unknown>;
  return module[`${lowerFirst(message)}Codec`] as Codec;
}

/** A message with every field set to something that is not its default. */
function sample(type: protobuf.Type): { [field: string]: unknown } {
  return Object.fromEntries(
    type.fieldsArray.map(field => {
      const value = sampleValue(field);
      if (field instanceof protobuf.MapField) return [field.name, { key: value, __proto__x: value }];
      return [field.name, field.repeated ? [value, value] : value];
    }),
  );
}

function sampleValue(field: protobuf.FieldBase): unknown {
  const type = field.resolvedType;
  if (type instanceof protobuf.Enum) return Object.keys(type.values)[1];
  if (type instanceof protobuf.Type) return sample(type);
  const values: Record<string, unknown> = {
    string: 'tëxt',
    bool: true,
    double: 2 ** 52 + 1,
    uint32: 4294967295,
    int32: -3,
    bytes: Buffer.from([0, 255]),
  };
  return values[field.type];
}

const messages = loadProtos(join(protoDirectory, 'internal')).flatMap(file =>
  file.messages.map(message => ({ file: file.name, message })),
);

test('every message is decoded as it was encoded, and compatible with the reflection library', async () => {
  for (const { file, message } of messages) {
    const codec = await loadCodec(file, message.name);
    const value = sample(message);
    const bytes = codec.encode(value);
    assert.deepEqual(codec.decode(bytes), value, message.name);
    const reflected = message.toObject(message.decode(bytes), { enums: String });
    assert.deepEqual(reflected, value, message.name);
    assert.deepEqual(codec.decode(message.encode(message.fromObject(value)).finish()), value, message.name);
  }
});

test('an empty message has no bytes, and is decoded to the defaults', async () => {
  for (const { file, message } of messages) {
    const codec = await loadCodec(file, message.name);
    const decoded = codec.decode(Buffer.alloc(0)) as { [field: string]: unknown };
    assert.equal(codec.encode(decoded).length, 0, message.name);
    assert.equal(codec.encode({}).length, 0, message.name);
    for (const field of message.fieldsArray) {
      const absent =
        !field.repeated && !field.map && (field.hasPresence || field.resolvedType instanceof protobuf.Type);
      assert.equal(Object.hasOwn(decoded, field.name), !absent, field.fullName);
    }
  }
});

test('an explicit zero is kept', async () => {
  const codec = await loadCodec('storage.proto', 'GetResponse');
  const value = { record: { key: '', value: Buffer.alloc(0), revision: 0 }, revision: 0 };
  assert.deepEqual(codec.decode(codec.encode(value)), value);
});

test('unknown fields are skipped, unknown enum values and cut messages are refused', async () => {
  const codec = await loadCodec('watch_event.proto', 'WatchEvent');
  const bytes = codec.encode({ type: 'RESET', revision: 3, key: 'k', value: Buffer.from('v') });
  const unknownField = Buffer.concat([bytes, Buffer.from([0xfa, 0x07, 2, 1, 2])]);
  assert.deepEqual(codec.decode(unknownField), codec.decode(bytes));
  assert.throws(() => codec.decode(Buffer.from([8, 99])), /not a known value of WatchEventType/);
  assert.throws(() => codec.decode(bytes.subarray(0, bytes.length - 1)), RangeError);
});

test('the generated files are up to date', () => {
  assert.deepEqual(generateContracts({ isCheck: true }), []);
});
