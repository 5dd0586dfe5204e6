import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { listPaths } from './field-set.ts';
import { fieldSetFromJson, fieldSetToJson } from './fields-v1.ts';
import {
  comparePathElements,
  keyElement,
  type PathElement,
  parsePathElement,
  pathText,
  valueElement,
} from './path-element.ts';

const canonical = [
  '{}',
  '{"f:metadata":{"f:labels":{".":{},"f:app":{}}}}',
  '{"f:a":{},"f:b":{},"k:{\\"name\\":\\"x\\"}":{},"v:1":{},"v:\\"a\\"":{},"v:true":{},"i:0":{},"i:10":{}}',
  '{"f:ports":{"k:{\\"port\\":80,\\"protocol\\":\\"TCP\\"}":{".":{},"f:port":{}},"k:{\\"port\\":443,\\"protocol\\":\\"TCP\\"}":{}}}',
  '{"f:":{},"f:.":{},"f:__proto__":{"f:constructor":{}}}',
  '{"f:a\u{ffff}":{},"f:a\u{1f680}":{}}',
];

for (const text of canonical) {
  test(`a canonical text is encoded as it was decoded: ${text}`, () => {
    assert.equal(JSON.stringify(fieldSetToJson(fieldSetFromJson(JSON.parse(text)))), text);
  });
}

const read: { what: string; json: JsonValue; paths: string[] }[] = [
  { what: 'null is the empty set', json: null, paths: [] },
  { what: 'members come in any order', json: { 'f:b': {}, 'f:a': {} }, paths: ['.a', '.b'] },
  { what: 'keys come in any order', json: { 'k:{"b":1, "a":"x"}': {} }, paths: ['[a="x",b=1]'] },
  {
    what: 'texts of one element are one member',
    json: { 'v: 1': {}, 'v:1': { 'f:a': {} } },
    paths: ['[=1]', '[=1].a'],
  },
  { what: 'unknown kinds of element are dropped', json: { 'f:a': {}, 'x:y': { 'f:z': {} } }, paths: ['.a'] },
  { what: 'the root is never included', json: { '.': {}, 'f:a': {} }, paths: ['.a'] },
];

for (const { what, json, paths } of read) {
  test(`a field set is decoded: ${what}`, () => {
    assert.deepEqual([...listPaths(fieldSetFromJson(json))].map(pathText), paths);
  });
}

const refused: JsonValue[] = [
  1,
  'f:a',
  [],
  { 'f:a': 1 },
  { 'f:a': [] },
  { '': {} },
  { ab: {} },
  { f: {} },
  { ':': {} },
];
refused.push({ 'i:1.5': {} }, { 'i: 1': {} }, { 'k:1': {} }, { 'k:{': {} }, { 'v:': {} }, { 'v:{} x': {} });

for (const json of refused) {
  test(`a malformed field set is refused: ${JSON.stringify(json)}`, () => {
    assert.throws(() => fieldSetFromJson(json));
  });
}

test('a very deeply nested field set is refused without recursion', () => {
  let deep: JsonObject = {};
  for (let i = 0; i < 100_000; i++) deep = { 'f:a': deep };
  assert.throws(() => fieldSetFromJson(deep), /levels deep/);
});

test('elements are ordered by kind, fields by bytes, and values by type', () => {
  const ordered: PathElement[] = [
    'f:',
    'f:Z',
    'f:a',
    'f:ab',
    'k:{"a":1}',
    'k:{"a":"1"}',
    'k:{"a":"1","b":0}',
    'k:{"b":0}',
  ];
  ordered.push(
    'v:-1',
    'v:2',
    'v:10',
    'v:"10"',
    'v:"2"',
    'v:false',
    'v:true',
    'v:[1]',
    'v:[1,0]',
    'v:{"a":1}',
    'v:null',
    'i:2',
    'i:10',
  );
  for (const [i, a] of ordered.entries()) {
    for (const [j, b] of ordered.entries())
      assert.equal(Math.sign(comparePathElements(a, b)), Math.sign(i - j), `${a} ${b}`);
  }
});

test('an element has one text for any order of its keys', () => {
  const element = keyElement({ protocol: 'TCP', port: 80, nested: { b: 1, a: [{ d: 1, c: 2 }] } });
  assert.equal(element, 'k:{"nested":{"a":[{"c":2,"d":1}],"b":1},"port":80,"protocol":"TCP"}');
  assert.equal(parsePathElement(element), element);
  assert.equal(valueElement('ü"'), 'v:"ü\\""');
  assert.equal(parsePathElement('q:1'), undefined);
});

test('a path is formatted as in conflicts', () => {
  const path: PathElement[] = [
    'f:spec',
    'f:ports',
    'k:{"port":80,"protocol":"TCP"}',
    'f:tags',
    'v:"a"',
    'i:3',
  ];
  assert.equal(pathText(path), '.spec.ports[port=80,protocol="TCP"].tags[="a"][3]');
});

test('the formatted path is short, however long and many its elements are', () => {
  const long = 'x'.repeat(900_000);
  assert.equal(pathText([`f:${long}`, 'f:a']), `.${'x'.repeat(510)}….a`);
  assert.equal(pathText([`k:{"a":"${long}"}`, 'f:a']), `[{"a":"${'x'.repeat(504)}…].a`);
  assert.ok(pathText(Array.from({ length: 1000 }, () => `v:"${long}"` as const)).length < 3000);
});
