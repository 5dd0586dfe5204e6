import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { JsonObject } from '@binnacle/api-objects';
import { createTypeRegistry } from '@binnacle/api-types';
import { encodeProtobuf } from '@binnacle/codecs';
import { encodeYaml } from '@binnacle/codecs/texts';
import type { ApiServer } from './api-server.ts';
import { shareApiServer } from './shared-server.ts';

let server: ApiServer;
before(async () => {
  server = await shareApiServer();
  await server.namespace('bad-bodies');
});
after(() => server?.[Symbol.asyncDispose]());

const services = '/api/v1/namespaces/bad-bodies/services';
const maps = '/api/v1/namespaces/bad-bodies/configmaps';
const definitions = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';
const levels = 100_000;

/** A body in the encodings in which it can be said. */
interface BadBody {
  readonly what: string;
  readonly collection: string;
  readonly bodies: Readonly<Partial<Record<'json' | 'yaml' | 'protobuf', string | Buffer>>>;
  readonly code: 400 | 422;
  /** The path of the value, which the message names. */
  readonly names: RegExp;
}

const mediaTypes = {
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf: 'application/vnd.cluster.protobuf',
};

const cases: BadBody[] = [
  {
    what: 'an unknown value of an enumeration',
    collection: services,
    bodies: encodeAll('Service', service({ port: 80, protocol: 'CARRIER-PIGEON' })),
    code: 422,
    names: /spec\.ports\[0\]\.protocol/,
  },
  {
    what: 'a negative port',
    collection: services,
    bodies: encodeAll('Service', service({ port: -1 })),
    code: 422,
    names: /spec\.ports\[0\]\.port/,
  },
  {
    what: 'a text where a number belongs',
    collection: services,
    bodies: {
      ...encodeTexts(service({ port: 'eighty' })),
      // The port is field 3; here it has the wire type of a text.
      protobuf: replaced(createProtobufBody('Service', service({ port: 80 })), '1850', '1a00'),
    },
    code: 400,
    names: /spec\.ports\[0\]\.port/,
  },
  {
    what: 'a number beyond 32 bits',
    collection: services,
    bodies: encodeAll('Service', service({ port: 2 ** 40 })),
    code: 400,
    names: /spec\.ports\[0\]\.port/,
  },
  {
    what: 'a number beyond 64 bits',
    collection: maps,
    bodies: {
      json: '{"metadata":{"name":"bad","generation":99999999999999999999999}}',
      yaml: 'metadata:\n  name: bad\n  generation: 99999999999999999999999\n',
      protobuf: replaced(
        createProtobufBody('ConfigMap', { metadata: { name: 'bad', generation: 2 ** 52 } }),
        '8080808080808008',
        'ffffffffffffffff',
      ),
    },
    code: 400,
    names: /metadata\.generation/,
  },
  {
    what: 'a number with a fraction where an integer belongs',
    collection: services,
    bodies: encodeTexts(service({ port: 80.5 })),
    code: 400,
    names: /spec\.ports\[0\]\.port/,
  },
  {
    what: `nesting ${levels} deep`,
    collection: maps,
    bodies: {
      json: `{"metadata":{"name":"bad"},"data":{"k":${'['.repeat(levels)}${']'.repeat(levels)}}}`,
      yaml: `metadata:\n  name: bad\ndata:\n  k: ${'['.repeat(levels)}${']'.repeat(levels)}\n`,
    },
    code: 400,
    names: /data\.k|line 4/,
  },
  {
    what: `messages ${levels} deep`,
    collection: definitions,
    bodies: {
      json: `{"metadata":{"name":"bad"},"spec":${'{"not":'.repeat(levels)}{}${'}'.repeat(levels)}}`,
      protobuf: nestedSchemas(),
    },
    code: 400,
    names: /spec/,
  },
  {
    what: 'text that is no UTF-8',
    collection: maps,
    bodies: {
      json: replaced(Buffer.from('{"metadata":{"name":"bad"},"data":{"k":"XX"}}'), '5858', 'c328'),
      yaml: replaced(Buffer.from('metadata:\n  name: bad\ndata:\n  k: "XX"\n'), '5858', 'c328'),
      protobuf: replaced(
        createProtobufBody('ConfigMap', { metadata: { name: 'bad' }, data: { k: 'XX' } }),
        '5858',
        'c328',
      ),
    },
    code: 400,
    names: /data/,
  },
  {
    what: 'a body that is cut short',
    collection: services,
    bodies: {
      json: JSON.stringify(service({ port: 80 })).slice(0, -3),
      protobuf: cutWithin(createProtobufBody('Service', service({ port: 80, name: 'long-enough' })), 'long'),
    },
    code: 400,
    names: /raw|JSON/,
  },
];

for (const { what, collection, bodies, code, names } of cases) {
  for (const [encoding, body] of Object.entries(bodies)) {
    test(`${what} in ${encoding} gets ${code} with the position, and stores nothing`, async () => {
      const answer = await server.call('POST', collection, {
        body,
        headers: { 'Content-Type': mediaTypes[encoding as keyof typeof mediaTypes] },
      });
      assert.equal(answer.code, code, answer.text);
      assert.equal(answer.json.kind, 'Status');
      assert.equal(answer.json.reason, code === 422 ? 'Invalid' : 'BadRequest');
      assert.match(answer.json.message, names);
      if (code === 422) assert.match(answer.json.details.causes.map(cause => cause.field).join(), names);
      const kept = await server.call('GET', collection);
      assert.equal(kept.code, 200);
      assert.equal(
        kept.json.items.some(item => item.metadata.name === 'bad'),
        false,
      );
    });
  }
}

test('damaged protobuf gets a Status, and the server continues', async () => {
  const bytes = createProtobufBody('Service', service({ port: 80, name: 'http', protocol: 'TCP' }));
  const headers = { 'Content-Type': mediaTypes.protobuf };
  for (let end = 0; end < bytes.length; end += 3) {
    const { code, text } = await server.call('POST', `${services}?dryRun=All`, {
      body: bytes.subarray(0, end),
      headers,
    });
    assert.ok([201, 400, 422].includes(code), text);
  }
  for (let at = 4; at < bytes.length; at++) {
    const damaged = Buffer.from(bytes);
    damaged[at] = damaged[at]! ^ (1 << (at % 8)); // at lies within the bytes
    const { code, text } = await server.call('POST', `${services}?dryRun=All`, { body: damaged, headers });
    assert.ok([201, 400, 422].includes(code), text);
  }
  assert.equal((await server.call('GET', '/readyz')).code, 200);
});

function service(port: JsonObject): JsonObject {
  return {
    kind: 'Service',
    apiVersion: 'v1',
    metadata: { name: 'bad' },
    spec: { selector: { a: 'b' }, ports: [port] },
  };
}

function encodeTexts(object: JsonObject) {
  return { json: JSON.stringify(object), yaml: encodeYaml(object) };
}

function encodeAll(kind: string, object: JsonObject) {
  return { ...encodeTexts(object), protobuf: createProtobufBody(kind, object) };
}

function createProtobufBody(kind: string, object: JsonObject): Buffer {
  const definition = createTypeRegistry().kind('', 'v1', kind);
  assert.ok(definition);
  return encodeProtobuf(definition, { apiVersion: 'v1', kind, ...object });
}

/** Bytes with others of the same number in the place of some; both in hexadecimal. */
function replaced(bytes: Buffer, from: string, to: string): Buffer {
  const at = bytes.indexOf(Buffer.from(from, 'hex'));
  assert.notEqual(at, -1);
  assert.equal(from.length, to.length);
  const copy = Buffer.from(bytes);
  copy.write(to, at, 'hex');
  return copy;
}

/** The bytes up to the second character of a text. */
function cutWithin(bytes: Buffer, text: string): Buffer {
  const at = bytes.indexOf(text);
  assert.notEqual(at, -1);
  return bytes.subarray(0, at + 2);
}

/** A definition with a schema whose `not` has a schema whose `not` ... */
function nestedSchemas(): Buffer {
  const not = Buffer.from('e201', 'hex');
  const parts: Buffer[] = [];
  let length = 0;
  const wrap = (tag: Buffer) => {
    const head = Buffer.concat([tag, varint(length)]);
    parts.push(head);
    length += head.length;
  };
  for (let i = 0; i < levels; i++) wrap(not);
  // spec (2), versions (7), schema (4), openAPIV3Schema (1), raw of the envelope (2)
  for (const tag of ['0a', '22', '3a', '12', '12']) wrap(Buffer.from(tag, 'hex'));
  return Buffer.concat([Buffer.from('6b387300', 'hex'), ...parts.reverse()]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
  return Buffer.from([...bytes, rest]);
}
