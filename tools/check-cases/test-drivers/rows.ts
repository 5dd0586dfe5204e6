/** A row that holds and one of the same group that does not. */
export interface RowPair {
  readonly right: unknown;
  readonly wrong: unknown;
}

/** Documents need more than rows where their rows refer to it. */
export const schemas: Readonly<Record<string, object>> = {
  'strategic-merge': {
    schema: {
      mergeItem: {
        name: { type: 'string' },
        items: { type: 'array', items: 'mergeItem', patchStrategy: 'merge', patchMergeKey: 'name' },
      },
      precisionItem: { number: { type: 'number' } },
    },
  },
  'structured-merge': {
    schemas: {
      boats: {
        types: [
          {
            name: 'harbour',
            map: {
              fields: [
                { name: 'name', type: { scalar: 'string' } },
                { name: 'boats', type: { namedType: 'boats' } },
                {
                  name: 'flags',
                  type: { list: { elementRelationship: 'associative', elementType: { scalar: 'string' } } },
                },
              ],
            },
          },
          {
            name: 'boats',
            list: { elementRelationship: 'associative', elementType: { namedType: 'boat' }, keys: ['name'] },
          },
          {
            name: 'boat',
            map: {
              fields: [
                { name: 'name', type: { scalar: 'string' } },
                { name: 'length', type: { scalar: 'numeric' } },
              ],
            },
          },
        ],
      },
    },
  },
  fieldpaths: {
    schemas: {
      tree: {
        types: [
          {
            name: 'tree',
            map: {
              fields: [
                { name: 'child', type: { namedType: 'tree' } },
                { name: 'leaf', type: { scalar: 'numeric' } },
              ],
            },
          },
        ],
      },
    },
  },
};

const harbour = { schema: 'boats', type: 'harbour' };
const boat = { name: 'Elbe', length: 9 };
const managed = (paths: string[]) => ({ apiVersion: 'v1', applied: true, paths });
const apply = (manager: string, object: object, more = {}) => ({
  ...{ op: 'apply', manager, apiVersion: 'v1', object },
  ...more,
});
const elbe = '.boats[name="Elbe"]';

/** One pair of rows for each group of each file. */
export const rows: Readonly<Record<string, Readonly<Record<string, RowPair>>>> = {
  'strategic-merge': {
    apply: {
      right: {
        original: { items: [{ name: 'a' }] },
        patch: { items: [{ name: 'b' }] },
        result: { items: [{ name: 'b' }, { name: 'a' }] },
      },
      wrong: { original: { name: 'a' }, patch: { items: [{}] }, expectedError: 'all is well' },
    },
    diff: {
      right: {
        ...{ original: null, twoWay: { name: 'a' }, twoWayResult: { name: 'a' } },
        ...{ current: { items: [] }, threeWay: { name: 'b' }, result: { items: [], name: 'b' } },
      },
      wrong: {
        ...{ original: {}, twoWay: { name: 'a' }, twoWayResult: { name: 'a' } },
        ...{ current: {}, threeWay: { name: 'b' }, result: {} },
      },
    },
    replaceRaw: {
      right: { original: {}, twoWay: {}, twoWayResult: {} },
      wrong: { original: {}, twoWay: {}, twoWayResult: { name: 'a' } },
    },
    unknownField: {
      right: { original: { mast: 1 }, twoWay: { mast: 2 }, twoWayResult: { mast: 2 } },
      wrong: { original: { mast: 1 }, twoWay: { mast: 2 }, twoWayResult: { mast: 1 } },
    },
    numberConversion: {
      right: { originalText: '{"number":1.5}', patchText: '{}', resultText: '{"number":1.5}' },
      wrong: { originalText: '{"number":1.5}', patchText: '{}', resultText: '{"number":1.50}' },
    },
    badInput: {
      right: { originalText: '{}', patchText: 'ahoy' },
      wrong: { originalText: '{}', patchText: '{}' },
    },
  },
  'json-merge': {
    threeWay: {
      right: { current: { a: 1, b: 2 }, patch: { a: null }, result: { b: 2 } },
      wrong: { current: { a: 1, b: 2 }, patch: { a: null }, result: { a: null, b: 2 } },
    },
    nullFilter: {
      right: { original: { a: null, b: 1 }, withNull: { a: null }, withoutNull: { b: 1 } },
      wrong: { original: { a: null, b: 1 }, withNull: {}, withoutNull: { b: 1 } },
    },
  },
  'structured-merge': {
    cases: {
      right: {
        ...harbour,
        ops: [
          apply('m1', { name: 'Kiel', boats: [boat] }),
          apply('m2', { name: 'Husum' }, { conflicts: [{ manager: 'm1', path: '.name' }] }),
          apply('m2', { flags: ['red'] }),
        ],
        ...{ object: { name: 'Kiel', boats: [boat], flags: ['red'] }, objectVersion: 'v1' },
        managed: {
          m1: managed(['.name', elbe, `${elbe}.name`, `${elbe}.length`]),
          m2: managed(['.flags[="red"]']),
        },
      },
      wrong: { ...harbour, ops: [apply('m1', { name: 'Kiel' })], managed: { m1: managed(['.boats']) } },
    },
    conflictText: {
      right: { conflicts: [{ manager: 'm', path: '.name' }], text: 'conflict with "m": .name' },
      wrong: { conflicts: [{ manager: 'm', path: '.name' }], text: 'peace' },
    },
    'typed/merge': {
      right: {
        ...harbour,
        lhs: { name: 'Kiel' },
        rhs: { flags: ['red'] },
        result: { name: 'Kiel', flags: ['red'] },
      },
      wrong: { ...harbour, lhs: { name: 'Kiel' }, rhs: { mast: 1 }, result: { name: 'Kiel', mast: 1 } },
    },
    'typed/deducedMerge': {
      right: {
        schema: 'none',
        type: '__untyped_deduced_',
        lhs: { a: 1 },
        rhs: { b: 2 },
        result: { a: 1, b: 2 },
      },
      wrong: { schema: 'none', type: '__untyped_deduced_', lhs: { a: 1 }, rhs: { b: 2 }, result: { a: 1 } },
    },
    'typed/compare': {
      right: { ...harbour, lhs: {}, rhs: { name: 'Kiel' }, added: ['.name'], modified: [], removed: [] },
      wrong: { ...harbour, lhs: {}, rhs: { name: 'Kiel' }, added: [], modified: ['.name'], removed: [] },
    },
    'typed/deducedCompare': {
      right: {
        schema: 'none',
        type: '__untyped_atomic_',
        lhs: { a: 1 },
        rhs: { a: 1 },
        added: [],
        modified: [],
        removed: [],
      },
      wrong: {
        schema: 'none',
        type: '__untyped_deduced_',
        lhs: { a: 1 },
        rhs: {},
        added: [],
        modified: [],
        removed: [],
      },
    },
    'typed/fieldSet': {
      right: { ...harbour, object: { name: 'Kiel' }, paths: ['.name'], fieldsV1: { 'f:name': {} } },
      wrong: { ...harbour, object: { name: 'Kiel' }, paths: ['.name'], fieldsV1: { name: {} } },
    },
    'typed/deducedFieldSet': {
      right: {
        schema: 'none',
        type: '__untyped_deduced_',
        object: { a: [1] },
        paths: ['.a'],
        fieldsV1: { 'f:a': {} },
      },
      wrong: {
        schema: 'none',
        type: '__untyped_deduced_',
        object: { a: [1] },
        paths: ['.a[0]'],
        fieldsV1: { 'f:a': {} },
      },
    },
    'typed/remove': {
      right: {
        ...harbour,
        object: { name: 'Kiel', boats: [boat] },
        paths: [elbe],
        afterRemove: { name: 'Kiel', boats: null },
      },
      wrong: {
        ...harbour,
        object: { name: 'Kiel' },
        paths: ['.name'],
        afterRemove: {},
        extracted: { name: 'Kiel' },
      },
    },
    'typed/extractWithKeys': {
      right: {
        ...harbour,
        object: { boats: [boat] },
        paths: [`${elbe}.length`],
        extracted: { boats: [boat] },
      },
      wrong: {
        ...harbour,
        object: { boats: [boat] },
        paths: [`${elbe}.length`],
        extracted: { boats: [{ length: 9 }] },
      },
    },
    'typed/validate': {
      right: { ...harbour, object: { flags: ['red', 'red'] }, valid: 'only with duplicates' },
      wrong: { ...harbour, object: { name: 7 }, valid: true },
    },
    'typed/reconcile': {
      right: { ...harbour, oldPaths: ['.name.first'], newPaths: null },
      wrong: { ...harbour, oldPaths: ['.name'], newPaths: ['.boats'] },
    },
  },
  fieldpaths: {
    element: { right: { text: 'f:a', field: 'a' }, wrong: { text: 'f:a', field: 'b' } },
    elementRead: {
      right: { text: 'k:{ "b":1, "a":2}', key: { a: 2, b: 1 }, canonical: 'k:{"a":2,"b":1}' },
      wrong: { text: 'v: 1', value: 1, canonical: 'v: 1' },
    },
    elementErrors: { right: { text: 'k:[]' }, wrong: { text: 'v:[]' } },
    elementUnknown: { right: 'z:sail', wrong: 'f:sail' },
    pathString: {
      right: { elements: ['f:a', 'i:0', 'k:{"n":"x]"}'], text: '.a[0][n="x]"]' },
      wrong: { elements: ['f:a', 'i:0'], text: '.a.0' },
    },
    elementOrder: {
      right: { a: 'f:a', b: 'v:1', equal: false },
      wrong: { a: 'v:1', b: 'f:a', equal: false },
    },
    golden: {
      right: { text: '{"f:a":{".":{},"f:b":{}}}', paths: ['.a', '.a.b'] },
      wrong: { text: '{"f:b":{},"f:a":{}}', paths: ['.a', '.b'] },
    },
    normalize: {
      right: { text: '{"f:b":{}, "f:a":{}}', canonical: '{"f:a":{},"f:b":{}}' },
      wrong: { text: '{"f:b":{}}', canonical: '{"f:b":{".":{}}}' },
    },
    setRead: {
      right: { text: ' {"f:a":{}} ', paths: ['.a'] },
      wrong: { text: '{"f:a":{}}', paths: [] },
    },
    setErrors: { right: { text: '{"f:a":1}' }, wrong: { text: '{"f:a":{}}' } },
    setDropUnknown: {
      right: { text: '{"f:a":{},"z:b":{}}', canonical: '{"f:a":{}}' },
      wrong: { text: '{"f:a":{},"z:b":{}}', canonical: '{"f:a":{},"z:b":{}}' },
    },
    fromValue: {
      right: { value: { a: [{ name: 'x', b: 1 }] }, paths: ['.a[name="x"].name', '.a[name="x"].b'] },
      wrong: { value: { a: [1] }, paths: ['.a'] },
    },
    has: {
      right: { member: false, path: '.a', set: ['.a.b'] },
      wrong: { member: true, path: '.a', set: ['.a.b'] },
    },
    leaves: {
      right: { set: ['.a', '.a.b', '.c'], leaves: ['.a.b', '.c'] },
      wrong: { set: ['.a', '.a.b'], leaves: ['.a'] },
    },
    equals: {
      right: { a: ['.a', '.b'], b: ['.b', '.a'], equal: true },
      wrong: { a: [], b: ['.a'], equal: true },
    },
    union: {
      right: { a: ['.a'], b: ['.b'], union: ['.a', '.b'] },
      wrong: { a: ['.a'], b: ['.b'], union: ['.a'] },
    },
    intersection: {
      right: { a: ['.a', '.b'], b: ['.b'], intersection: ['.b'], aMinusB: ['.a'], bMinusA: [] },
      wrong: { a: ['.a'], b: ['.b'], intersection: [], aMinusB: ['.a'], bMinusA: [] },
    },
    difference: {
      right: { a: ['.a', '.a.b'], b: ['.a'], difference: ['.a.b'], recursiveDifference: [] },
      wrong: { a: ['.a', '.a.b'], b: ['.a'], difference: ['.a.b'], recursiveDifference: ['.a.b'] },
    },
    namedFields: {
      right: {
        ...{ schema: 'tree', newSchema: 'tree', type: 'tree', object: { child: { leaf: 1 } } },
        ...{ before: ['.child.leaf'], after: ['.child', '.child.leaf'] },
      },
      wrong: {
        ...{ schema: 'tree', newSchema: 'tree', type: 'tree', object: { child: { leaf: 1 } } },
        ...{ before: ['.child.leaf'], after: ['.child.leaf'] },
      },
    },
    managersDifference: {
      right: {
        a: { m: managed(['.a', '.b']) },
        b: { m: managed(['.a']) },
        difference: { m: managed(['.b']) },
      },
      wrong: { a: { m: managed(['.a']) }, b: { m: managed(['.a']) }, difference: { m: managed(['.a']) } },
    },
    managersEqual: {
      right: { a: { m: managed(['.a']) }, b: { m: managed(['.a']) }, equal: true },
      wrong: { a: { m: managed(['.a']) }, b: {}, equal: true },
    },
  },
};
