import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonValue } from '@binnacle/api-objects';
import { type FieldSet, fieldSetOfPaths, listPaths } from '../field-sets/field-set.ts';
import { type PathElement, pathText } from '../field-sets/path-element.ts';
import { type TypedSchema, untypedAtomic, untypedDeduced } from '../schemas/typed-schema.ts';
import {
  atomicList,
  createMapSchema,
  number,
  ports,
  setOfTexts,
  struct,
  text,
} from '../test-drivers/schema-of-everything.ts';
import { compare } from './compare.ts';
import { extractItems } from './extract-items.ts';
import { fieldSetFromValue } from './field-set-from-value.ts';
import { merge } from './merge.ts';
import { withNamedFields } from './named-fields.ts';
import { reconcile } from './reconcile.ts';
import { removeItems } from './remove-items.ts';
import { untypedFieldSetFromValue } from './untyped-field-set.ts';
import { validate } from './validate.ts';

const schema = struct({
  a: text,
  n: number,
  map: createMapSchema(text),
  atomicMap: createMapSchema(text, 'atomic'),
  set: setOfTexts,
  list: atomicList,
  ports,
  nested: struct({ x: text, y: text }),
  free: untypedDeduced,
  opaque: untypedAtomic,
});

function texts(set: FieldSet): string[] {
  return [...listPaths(set)].map(pathText);
}

function createSet(...paths: readonly (readonly PathElement[])[]): FieldSet {
  return fieldSetOfPaths(paths);
}

describe('the fields of an object', () => {
  const rows: { value: JsonValue; paths: string[] }[] = [
    { value: { a: '1', n: null }, paths: ['.a', '.n'] },
    { value: { map: {}, nested: {} }, paths: ['.map', '.nested'] },
    { value: { map: { x: '1' }, nested: { x: '1' } }, paths: ['.map.x', '.nested.x'] },
    {
      value: { atomicMap: { x: '1' }, list: ['a'], opaque: { x: [1] } },
      paths: ['.atomicMap', '.list', '.opaque'],
    },
    { value: { set: ['b', 'a'] }, paths: ['.set[="a"]', '.set[="b"]'] },
    { value: { set: [] }, paths: [] },
    {
      value: { ports: [{ port: 80 }] },
      paths: ['.ports[port=80,protocol="TCP"]', '.ports[port=80,protocol="TCP"].port'],
    },
    {
      value: { ports: [{ port: 80 }, { port: 80, protocol: 'TCP' }] },
      paths: ['.ports[port=80,protocol="TCP"]'],
    },
    { value: { free: { x: { y: [1] } } }, paths: ['.free.x', '.free.x.y'] },
    { value: { unknown: { x: 1 } }, paths: ['.unknown', '.unknown.x'] },
  ];
  for (const { value, paths } of rows) {
    test(JSON.stringify(value), () => assert.deepEqual(texts(fieldSetFromValue(value, schema)), paths));
  }

  test('of unknown type are deduced from their values', () => {
    const value = { a: [{ name: 'x', v: 1 }, 5], b: {} };
    assert.deepEqual(texts(untypedFieldSetFromValue(value)), [
      '.b',
      '.a[1]',
      '.a[name="x"].name',
      '.a[name="x"].v',
    ]);
  });

  test('include parents with a declared type', () => {
    const named = withNamedFields(createSet(['f:nested', 'f:x'], ['f:map', 'f:k']), schema);
    assert.deepEqual(texts(named), ['.map', '.nested', '.map.k', '.nested.x']);
  });
});

describe('comparing', () => {
  const rows: { before: JsonValue; after: JsonValue; changes: string[] }[] = [
    { before: { a: '1' }, after: { a: '1' }, changes: [] },
    { before: { a: '1' }, after: { a: '2' }, changes: ['~.a'] },
    { before: {}, after: { map: { x: '1' } }, changes: ['+.map', '+.map.x'] },
    { before: { map: { x: '1' } }, after: { map: {} }, changes: ['-.map.x'] },
    { before: { map: { x: '1' } }, after: {}, changes: ['-.map', '-.map.x'] },
    { before: { map: null }, after: { map: {} }, changes: ['~.map'] },
    { before: { list: ['a'] }, after: { list: ['a', 'b'] }, changes: ['~.list'] },
    { before: { set: ['a', 'b'] }, after: { set: ['b', 'c'] }, changes: ['+.set[="c"]', '-.set[="a"]'] },
    { before: { set: ['a', 'b'] }, after: { set: ['b', 'a'] }, changes: [] },
    { before: { set: ['a', 'a'] }, after: { set: ['a'] }, changes: ['+.set[="a"]', '-.set[="a"]'] },
    { before: { free: { x: 1 } }, after: { free: 5 }, changes: ['~.free', '-.free.x'] },
    { before: { free: 5 }, after: { free: { x: 1 } }, changes: ['+.free.x', '~.free'] },
    {
      before: { ports: [{ port: 80, name: 'a' }] },
      after: { ports: [{ port: 80, protocol: 'TCP', name: 'b' }] },
      changes: ['+.ports[port=80,protocol="TCP"].protocol', '~.ports[port=80,protocol="TCP"].name'],
    },
  ];
  for (const { before, after, changes } of rows) {
    test(`${JSON.stringify(before)} with ${JSON.stringify(after)}`, () => {
      const { added, modified, removed } = compare(before, after, schema);
      const signed = (sign: string, set: FieldSet) => texts(set).map(path => `${sign}${path}`);
      assert.deepEqual([...signed('+', added), ...signed('~', modified), ...signed('-', removed)], changes);
    });
  }
});

describe('merging', () => {
  const rows: { what: string; live: JsonValue; applied: JsonValue; result: JsonValue }[] = [
    {
      what: 'maps member by member',
      live: { map: { a: '1', b: '1' } },
      applied: { map: { b: '2', c: '2' } },
      result: { map: { a: '1', b: '2', c: '2' } },
    },
    {
      what: 'atomic maps as a whole',
      live: { atomicMap: { a: '1' } },
      applied: { atomicMap: { b: '2' } },
      result: { atomicMap: { b: '2' } },
    },
    {
      what: 'sets by value, new elements before the shared one that they precede',
      live: { set: ['a', 'b'] },
      applied: { set: ['c', 'a'] },
      result: { set: ['c', 'a', 'b'] },
    },
    {
      what: 'atomic lists as a whole',
      live: { list: ['a'] },
      applied: { list: ['b'] },
      result: { list: ['b'] },
    },
    {
      what: 'lists by key, shared elements in the applied order',
      live: { ports: [{ port: 1 }, { port: 2, name: 'x' }, { port: 3 }] },
      applied: { ports: [{ port: 3 }, { port: 2, name: 'y' }] },
      result: { ports: [{ port: 1 }, { port: 3 }, { port: 2, name: 'y' }] },
    },
    {
      what: 'duplicates of the live list by replacing them',
      live: { set: ['a', 'b', 'a'] },
      applied: { set: ['a'] },
      result: { set: ['a', 'b'] },
    },
    {
      what: 'empty over full by keeping what is there',
      live: { map: { a: '1' }, set: ['a'] },
      applied: { map: {}, set: [] },
      result: { map: { a: '1' }, set: ['a'] },
    },
    {
      what: 'another shape by replacing',
      live: { free: { a: 1 } },
      applied: { free: [1] },
      result: { free: [1] },
    },
    { what: 'null over a scalar by replacing', live: { a: '1' }, applied: { a: null }, result: { a: null } },
    {
      what: 'a member called __proto__ like any other',
      live: { map: { a: '1' } },
      applied: JSON.parse('{"map":{"__proto__":"x"}}'),
      result: JSON.parse('{"map":{"a":"1","__proto__":"x"}}'),
    },
  ];
  for (const { what, live, applied, result } of rows) {
    test(what, () => {
      const merged = merge(live, applied, schema);
      assert.deepEqual(merged, result);
      assert.equal(merge(merged, applied, schema), merged, 'once more changes nothing');
    });
  }
});

describe('removing and extracting fields', () => {
  const value = {
    a: '1',
    map: { x: '1', y: '2' },
    set: ['a', 'b'],
    list: ['q'],
    ports: [{ port: 80, name: 'n' }, { port: 81 }],
  };
  const port80 = 'k:{"port":80,"protocol":"TCP"}' as const;
  const rows: { paths: PathElement[][]; rest: JsonValue; part: JsonValue }[] = [
    { paths: [['f:a']], rest: { ...value, a: undefined! }, part: { a: '1' } },
    { paths: [['f:map', 'f:x']], rest: { ...value, map: { y: '2' } }, part: { map: { x: '1' } } },
    {
      paths: [
        ['f:map', 'f:x'],
        ['f:map', 'f:y'],
      ],
      rest: { ...value, map: null },
      part: { map: { x: '1', y: '2' } },
    },
    { paths: [['f:set', 'v:"a"']], rest: { ...value, set: ['b'] }, part: { set: ['a'] } },
    { paths: [['f:list']], rest: { ...value, list: undefined! }, part: { list: ['q'] } },
    { paths: [['f:ports', port80]], rest: { ...value, ports: [{ port: 81 }] }, part: { ports: [null] } },
    {
      paths: [['f:ports', port80, 'f:name']],
      rest: { ...value, ports: [{ port: 80 }, { port: 81 }] },
      part: { ports: [{ name: 'n' }] },
    },
  ];
  for (const { paths, rest, part } of rows) {
    test(paths.map(pathText).join(' '), () => {
      assert.deepEqual(removeItems(value, createSet(...paths), schema), JSON.parse(JSON.stringify(rest)));
      assert.deepEqual(extractItems(value, createSet(...paths), { schema }), part);
    });
  }

  test('extracted elements include their keys', () => {
    const part = extractItems(value, createSet(['f:ports', port80, 'f:name']), { schema, withKeys: true });
    assert.deepEqual(part, { ports: [{ port: 80, name: 'n' }] });
  });
});

describe('validating', () => {
  const rows: { value: JsonValue; faults: string[]; of?: TypedSchema }[] = [
    { value: { a: 'x', n: 1, map: { k: null }, free: { x: [{}] }, opaque: [1] }, faults: [] },
    { value: { a: 1 }, faults: ['.a: expected string, got 1'] },
    { value: { nested: { z: 1 } }, faults: ['.nested.z: field not declared in schema'] },
    { value: { map: ['x'] }, faults: ['.map: expected map, got ["x"]'] },
    { value: { set: 'x' }, faults: ['.set: expected list, got "x"'] },
    { value: { set: ['q', 'q'] }, faults: ['.set: duplicate entries for key [="q"]'] },
    {
      value: { set: [['q']] },
      faults: ['.set: element 0: not supported: associative list with lists as elements'],
    },
    {
      value: { ports: [{ port: 80 }, { port: 80 }] },
      faults: ['.ports: duplicate entries for key [port=80,protocol="TCP"]'],
    },
    {
      value: { ports: [{ port: 80, name: 5 }] },
      faults: ['.ports[port=80,protocol="TCP"].name: expected string, got 5'],
    },
    {
      value: { ports: ['x'] },
      faults: ['.ports: element 0: associative list with keys may not have non-map elements'],
    },
    {
      value: { a: 1, n: 'x' },
      faults: ['.a: expected string, got 1', '.n: expected numeric (int or float), got "x"'],
    },
  ];
  for (const { value, faults } of rows) {
    test(JSON.stringify(value), () => assert.deepEqual(validate(value, schema), faults));
  }

  test('elements need at least one of their keys', () => {
    const keyed: TypedSchema = {
      list: { listType: 'map', keys: [{ name: 'k' }], element: struct({ k: text, v: text }) },
    };
    const [fault] = validate([{ v: 'q' }], keyed);
    assert.match(fault!, /^element 0: .*omits key field "k"/);
  });

  test('stored objects may have duplicate elements', () => {
    assert.deepEqual(validate({ set: ['q', 'q'] }, schema, { duplicates: true }), []);
  });

  test('a very deeply nested value is refused without recursion', () => {
    let deep: JsonValue = 'x';
    for (let i = 0; i < 100_000; i++) deep = { a: deep };
    assert.match(validate({ free: deep }, schema)[0]!, /levels deep/);
  });
});

describe('a set recorded under an earlier schema', () => {
  test('manages the whole of a value that became atomic', () => {
    const set = createSet(['f:atomicMap', 'f:x'], ['f:list', 'v:"a"'], ['f:list'], ['f:a']);
    assert.deepEqual(texts(reconcile(set, schema)), ['.a', '.atomicMap', '.list']);
  });

  test('manages the container only of a value that became granular', () => {
    const set = createSet(['f:map'], ['f:set'], ['f:nested']);
    assert.equal(reconcile(set, schema), set);
  });

  test('is unchanged where the schema is unknown', () => {
    const set = createSet(['f:free', 'f:x', 'f:y'], ['f:gone', 'f:x']);
    assert.equal(reconcile(set, schema), set);
  });
});
