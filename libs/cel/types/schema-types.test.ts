import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { JsonObject } from '@binnacle/api-objects';
import { compileText } from '../check/check-expression.ts';
import { createEnvironment } from '../check/environment.ts';
import { formatType } from './format-type.ts';
import { fieldNameFromMember } from './lazy-object.ts';
import { typeFromSchema } from './schema-types.ts';
import type { CelType } from './type.ts';

function typeIn(schema: JsonObject, text: string, isRoot = false): CelType {
  const self = typeFromSchema(schema, { isRoot });
  assert.ok(self);
  return compileText(text, createEnvironment({ variables: [['self', self]] })).type;
}

const text = { type: 'string' };
const unknown = { 'x-cluster-preserve-unknown-fields': true };

suite('types of schemas', () => {
  const mapped: readonly (readonly [JsonObject, string])[] = [
    [{ type: 'boolean' }, 'bool'],
    [{ type: 'integer', format: 'int32' }, 'int'],
    [{ type: 'number' }, 'double'],
    [text, 'string'],
    [{ type: 'string', format: 'email' }, 'string'],
    [{ type: 'string', format: 'byte' }, 'bytes'],
    [{ type: 'string', format: 'date' }, 'timestamp'],
    [{ type: 'string', format: 'date-time' }, 'timestamp'],
    [{ type: 'string', format: 'duration' }, 'duration'],
    [{ 'x-cluster-int-or-string': true }, 'dyn'],
    [{ type: 'array', items: text }, 'list(string)'],
    [{ type: 'object', additionalProperties: { type: 'array', items: text } }, 'map(string, list(string))'],
    [{ type: 'object', properties: { a: text } }, 'object'],
    [{ type: 'array', items: { type: 'object' } }, 'list(object.@idx)'],
    [{ type: 'object', additionalProperties: true }, 'object'],
  ];
  for (const [schema, type] of mapped)
    test(`${JSON.stringify(schema)} is ${type}`, () => {
      const made = typeFromSchema(schema);
      assert.ok(made);
      assert.equal(formatType(made), type);
      assert.equal('origin' in made && made.origin, schema);
    });

  test('values that the schema does not describe cannot be accessed', () => {
    for (const schema of [
      unknown,
      { type: 'array' },
      { type: 'array', items: unknown },
      { type: 'object', additionalProperties: unknown },
    ])
      assert.equal(typeFromSchema(schema), undefined);
    const holder = { type: 'object', properties: { a: unknown, b: { type: 'array', items: unknown } } };
    assert.throws(() => typeIn(holder, 'has(self.a)'), /undefined field 'a'/);
    assert.throws(() => typeIn(holder, 'has(self.b)'), /undefined field 'b'/);
  });

  test('list types have the list type and keys of the schema', () => {
    const keyed = {
      type: 'array',
      items: { type: 'object', properties: { k: text } },
      'x-cluster-list-type': 'map',
      'x-cluster-list-map-keys': ['k'],
    };
    const type = typeFromSchema(keyed);
    assert.ok(type?.kind === 'list');
    assert.deepEqual([type.listType, type.mapKeys], ['map', ['k']]);
    const set = typeFromSchema({ type: 'array', items: text, 'x-cluster-list-type': 'set' });
    assert.ok(set?.kind === 'list');
    assert.deepEqual([set.listType, set.mapKeys], ['set', undefined]);
    const atomic = typeFromSchema({ type: 'array', items: text, 'x-cluster-list-type': 'atomic' });
    assert.ok(atomic?.kind === 'list' && !('listType' in atomic));
  });

  test('root and embedded objects have kind, apiVersion and name', () => {
    const root = { type: 'object', properties: { spec: { type: 'object', properties: { a: text } } } };
    const all = 'self.kind + self.apiVersion + self.metadata.name + self.metadata.generateName';
    assert.equal(formatType(typeIn(root, `${all} + self.spec.a`, true)), 'string');
    assert.throws(() => typeIn(root, 'self.metadata.labels', true), /undefined field 'labels'/);
    assert.throws(() => typeIn(root, 'self.kind'), /undefined field 'kind'/);
    const name = { type: 'string', maxLength: 5 };
    const metadata = { type: 'object', properties: { name, labels: { type: 'object' } } };
    const limited = { type: 'object', properties: { metadata, kind: { type: 'integer' } } };
    const place = typeIn(limited, 'self.metadata.name', true);
    assert.ok('origin' in place && place.origin === name);
    assert.equal(formatType(typeIn(limited, 'self.kind + self.apiVersion', true)), 'string');
    assert.throws(() => typeIn(limited, 'self.metadata.labels', true), /undefined field 'labels'/);
    const embedded = { type: 'object', 'x-cluster-embedded-type': true };
    const holder = { type: 'object', properties: { e: embedded, l: { type: 'array', items: embedded } } };
    assert.equal(formatType(typeIn(holder, all.replaceAll('self', 'self.e'))), 'string');
    assert.equal(formatType(typeIn(holder, all.replaceAll('self', 'self.l[0]'))), 'string');
    assert.throws(() => typeIn(holder, 'self.e.spec'), /undefined field 'spec'/);
  });

  test('objects at different positions have different types', () => {
    const inner = { type: 'object', properties: { a: text } };
    const holder = { type: 'object', properties: { one: inner, other: inner } };
    assert.equal(formatType(typeIn(holder, 'self.one == self.one')), 'bool');
    assert.throws(
      () => typeIn(holder, 'self.one == self.other'),
      /no matching overload for '_==_' applied to '\(object\.one, object\.other\)'/,
    );
  });

  const names: readonly (readonly [string, string | undefined])[] = [
    ['plain', 'plain'],
    ['_true', '_true'],
    ['true', '__true__'],
    ['in', '__in__'],
    ['namespace', '__namespace__'],
    ['while', '__while__'],
    ['int', 'int'],
    ['self', 'self'],
    ['dot.dot', 'dot__dot__dot'],
    ['a-b', 'a__dash__b'],
    ['f/2', 'f__slash__2'],
    ['a__b', 'a__underscores__b'],
    ['a_b', 'a_b'],
    ['___', '__underscores___'],
    ['-x', '__dash__x'],
    ['9', undefined],
    ['a@b', undefined],
    ['', undefined],
    ['é', undefined],
  ];
  for (const [member, name] of names)
    test(`the member ${JSON.stringify(member)} is ${name ?? 'inaccessible'}`, () => {
      assert.equal(fieldNameFromMember(member), name);
    });

  test('members are accessed under their escaped names', () => {
    const schema = { type: 'object', properties: { if: { type: 'integer' }, 'a-b': text, 'c@d': text } };
    assert.equal(formatType(typeIn(schema, 'self.__if__')), 'int');
    assert.equal(formatType(typeIn(schema, 'self.a__dash__b')), 'string');
    assert.throws(() => typeIn(schema, 'self.if == 1'), /undefined field 'if'/);
    const self = typeFromSchema(schema);
    assert.ok(self?.kind === 'object');
    assert.equal(self.field('__if__')?.member, 'if');
  });
});
