import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import protobuf from 'protobufjs';
import { loadProtos } from './load-protos.ts';
import { type ProtoMessage, parseProtoFile } from './proto-file.ts';

const { resolve } = createRequire(import.meta.url);
const definitions = join(dirname(resolve('@binnacle/proto')), 'api');
const compilerDirectory = dirname(resolve('protobufjs/package.json'));

/** Reads with a whole compiler what `loadProtos` reads. */
function compile(files: readonly string[]): protobuf.Root {
  const root = new protobuf.Root();
  root.resolvePath = (_origin, target) =>
    join(target.startsWith('google/') ? compilerDirectory : definitions, target);
  root.loadSync([...files], { keepCase: true, alternateCommentMode: true });
  return root.resolveAll() as protobuf.Root;
}

function optionsOf(object: protobuf.ReflectionObject): unknown[] {
  return (object.parsedOptions ?? [])
    .flatMap((option: object) => Object.entries(option))
    .map(([name, value]) => [name.replace(/[()]/g, ''), value]);
}

function compiledFacts(type: protobuf.Type): unknown {
  return {
    description: type.comment?.replace(/\s+/g, ' ') ?? '',
    options: optionsOf(type),
    fields: type.fieldsArray.map(field => [
      field.name,
      field.id,
      field.resolvedType?.fullName.slice(1) ?? field.type,
      field.map ? 'map' : field.repeated ? 'repeated' : 'single',
      optionsOf(field),
      field.comment?.replace(/\s+/g, ' ') ?? '',
    ]),
  };
}

function readFacts(message: ProtoMessage): unknown {
  const listed = (options: ProtoMessage['options']) =>
    [...options].flatMap(([name, values]) => values.map(value => [name, value]));
  return {
    description: message.description,
    options: listed(message.options),
    fields: message.fields.map(field => [
      field.name,
      field.number,
      /^[A-Z]\w*$/.test(field.type) ? `${message.package}.${field.type}` : field.type,
      field.label,
      listed(field.options),
      field.description,
    ]),
  };
}

describe('the reader of proto files', () => {
  it('reads of every definition what a whole compiler reads', () => {
    const messages = loadProtos();
    const files = new Set(
      messages.map(message => `${message.package.replace('cluster.io.api.', '').replaceAll('.', '/')}.proto`),
    );
    const root = compile([...files]);
    for (const message of messages) {
      const name = `${message.package}.${message.name}`;
      assert.deepEqual(readFacts(message), compiledFacts(root.lookupType(name)), name);
    }
  });

  it('keeps the comment that stands directly above', () => {
    const [message] = parseProtoFile(`
      package a;
      // Something else.

      // One
      // two.
      message M {
        optional string a = 1;
        // B.
        optional string b = 2;
      }`);
    assert.equal(message?.description, 'One two.');
    assert.deepEqual(
      message?.fields.map(field => field.description),
      ['', 'B.'],
    );
  });

  for (const [what, text] of [
    ['an enum', 'enum E { A = 0; }'],
    ['a message within a message', 'message M { message N {} }'],
    ['a group', 'message M { repeated group G = 1 {} }'],
    ['a field without a number', 'message M { optional string a; }'],
    ['a map of other keys than texts', 'message M { map<int32, string> a = 1; }'],
    ['an end before the end', 'message M { optional string a = 1;'],
    ['a comment of another form', '/* no */ message M {}'],
  ] as const) {
    it(`refuses ${what} with the line`, () => {
      assert.throws(() => parseProtoFile(`package a;\n${text}`), /line 2 of a proto file/);
    });
  }
});
