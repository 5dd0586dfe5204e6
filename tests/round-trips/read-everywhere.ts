import { messageNamed, type ResourceDefinition } from '@binnacle/api-types';
import { decodeProtobuf } from '@binnacle/codecs';
import { decodeBodyAtOnce } from '@binnacle/codecs/testing';
import { parse as parseYaml, type ScalarTag, type Tags } from 'yaml';
import {
  isObjectValue,
  memberAt,
  type ObjectValue,
  parseExact,
  removeAt,
  type Value,
  withoutEmpty,
} from './exact-json.ts';
import { assertSame, failure, mediaTypes, nameFromObject, objectIn, type Travellers } from './travellers.ts';

const { json, yaml, protobuf } = mediaTypes;

/** Reads an object with every verb in every format, and throws where one of them gives another one. */
export async function readEverywhere(travellers: Travellers, created: ObjectValue): Promise<void> {
  const path = `${travellers.collection}/${nameFromObject(created)}`;
  const named = `${travellers.collection}?fieldSelector=metadata.name%3D${nameFromObject(created)}`;
  await readOne(travellers, path, created);
  await readList(travellers, named, created);
  await watchOne(travellers, named, created);
}

async function readOne(travellers: Travellers, path: string, created: ObjectValue): Promise<void> {
  const { server, builtIn } = travellers;
  const get = (accept: string) => server.expect(200, 'GET', path, { accept });
  assertSame(travellers, 'get as JSON', created, objectIn(await get(json)));
  assertSame(travellers, 'get as YAML', created, readYaml(travellers, 'get as YAML', (await get(yaml)).text));
  if (builtIn !== undefined) {
    const { bytes } = await get(protobuf);
    assertSame(travellers, 'get as protobuf', onWire(created), onWire(fromProtobuf(builtIn, bytes)));
  }
  const table = await server.expect(200, 'GET', `${path}?includeObject=Object`, {
    accept: `${json};as=Table;g=meta.cluster.io;v=v1`,
  });
  assertSame(travellers, 'Table', created, memberAt(objectIn(table), ['rows', 0, 'object']));
}

async function readList(travellers: Travellers, named: string, created: ObjectValue): Promise<void> {
  const { server, builtIn } = travellers;
  const list = (accept: string) => server.expect(200, 'GET', named, { accept });
  const item = (value: Value): Value => withoutType(memberAt(value, ['items', 0]));
  const expected = withoutType(created);
  assertSame(travellers, 'list as JSON', expected, item(objectIn(await list(json))));
  const text = (await list(yaml)).text;
  assertSame(travellers, 'list as YAML', expected, item(readYaml(travellers, 'list as YAML', text)));
  if (builtIn === undefined) return;
  const { object } = decodeProtobuf(
    (await list(protobuf)).bytes,
    messageNamed(`${builtIn.message.fullName}List`),
  );
  assertSame(travellers, 'list as protobuf', onWire(expected), onWire(item(asValue(object))));
}

async function watchOne(travellers: Travellers, named: string, created: ObjectValue): Promise<void> {
  const { server, builtIn } = travellers;
  const watch = async (accept: string, take: (bytes: Buffer) => Value | undefined): Promise<Value> => {
    const message = await server.open('GET', `${named}&watch=true`, { accept });
    let bytes = Buffer.alloc(0);
    try {
      for await (const chunk of message) {
        bytes = Buffer.concat([bytes, chunk as Buffer]); // without an encoding chunks are bytes
        const event = take(bytes);
        if (event !== undefined) return event;
      }
    } finally {
      message.destroy();
    }
    throw failure(travellers, `watch as ${accept}`, `ended after ${bytes.length} bytes`);
  };
  const event = await watch(json, bytes => {
    const end = bytes.indexOf('\n');
    return end < 0 ? undefined : parseExact(bytes.toString('utf8', 0, end));
  });
  assertSame(travellers, 'watch as JSON', { type: 'ADDED', object: created }, event);
  if (builtIn === undefined) return;
  const object = await watch(protobuf, bytes => {
    const end = bytes.length < 4 ? Number.POSITIVE_INFINITY : 4 + bytes.readUInt32BE(0);
    return bytes.length < end
      ? undefined
      : fromProtobuf(builtIn, bytes.subarray(bytes.indexOf(envelopeStart), end));
  });
  assertSame(travellers, 'watch as protobuf', onWire(created), onWire(object));
}

/** How the envelope of an object begins, which is the last thing in an event. */
const envelopeStart = Buffer.from('k8s\0');

function fromProtobuf(definition: ResourceDefinition, bytes: Buffer): Value {
  return asValue(decodeBodyAtOnce(bytes, protobuf, { definition, fieldValidation: 'Strict' }).object);
}

function readYaml(travellers: Travellers, way: string, text: string): Value {
  try {
    return yamlObject(text);
  } catch (error) {
    throw failure(travellers, way, `${String(error)} in ${text}`);
  }
}

/**
 * Reads YAML 1.1, apart from what the package and readers in Go take otherwise: a lone dot is no number, and no text is a
 * date.
 */
function yamlObject(text: string): Value {
  const value: unknown = parseYaml(text, (_, member: unknown) => safeInteger(member), {
    version: '1.1',
    intAsBigInt: true,
    customTags: tags => [...tags.filter(isKeptTag), floatTag],
  });
  return value as Value; // scalars, lists and maps
}

const changedTags = ['tag:yaml.org,2002:float', 'tag:yaml.org,2002:timestamp'];
const floatTag: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  test: /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/,
  resolve: text => Number(text),
};

function isKeptTag(tag: Tags[number]): boolean {
  return typeof tag === 'string' || !changedTags.includes(tag.tag);
}

function safeInteger(value: unknown): unknown {
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** An object without what has no place in protobuf. */
function onWire(object: Value): Value {
  const result = withoutEmpty(object);
  const claims = memberAt(result, ['spec', 'volumeClaimTemplates']);
  if (!Array.isArray(claims)) return result;
  for (const claim of claims) for (const name of ['apiVersion', 'kind']) removeAt(claim, [name]);
  return result;
}

function withoutType(object: Value | undefined): Value {
  if (!isObjectValue(object)) return null;
  const { apiVersion: _, kind: __, ...rest } = object;
  return rest;
}

function asValue(object: unknown): Value {
  return parseExact(JSON.stringify(object));
}
