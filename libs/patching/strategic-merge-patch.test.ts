import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copyJson, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import { messageNamed } from '@binnacle/api-types';
import type { StatusError } from '@binnacle/status-errors';
import { applyStrategicMergePatch } from './strategic-merge-patch.ts';

const pod = messageNamed('core.v1.Pod');
const service = messageNamed('core.v1.Service');

const web = { name: 'web', image: 'web:1' };
const log = { name: 'log', image: 'log:1' };
const finalizers = ['x.io/a', 'x.io/b'];

const rows: { what: string; document: JsonObject; patch: JsonObject; result: JsonObject }[] = [
  {
    what: 'merges objects and removes nulls',
    document: { metadata: { labels: { a: '1', b: '2' } } },
    patch: { metadata: { labels: { b: null, c: '3' } } },
    result: { metadata: { labels: { a: '1', c: '3' } } },
  },
  {
    what: 'merges elements by key',
    document: { spec: { containers: [web, log] } },
    patch: { spec: { containers: [{ name: 'log', image: 'log:2' }] } },
    result: { spec: { containers: [web, { name: 'log', image: 'log:2' }] } },
  },
  {
    what: 'puts new elements first',
    document: { spec: { containers: [web] } },
    patch: { spec: { containers: [log] } },
    result: { spec: { containers: [log, web] } },
  },
  {
    what: 'orders elements as asked',
    document: { spec: { containers: [web] } },
    patch: { spec: { '$setElementOrder/containers': [{ name: 'web' }, { name: 'log' }], containers: [log] } },
    result: { spec: { containers: [web, log] } },
  },
  {
    what: 'orders without other changes',
    document: { spec: { containers: [web, log] } },
    patch: { spec: { '$setElementOrder/containers': [{ name: 'log' }, { name: 'web' }] } },
    result: { spec: { containers: [log, web] } },
  },
  {
    what: 'deletes an element',
    document: { spec: { containers: [web, log] } },
    patch: { spec: { containers: [{ $patch: 'delete', name: 'web' }] } },
    result: { spec: { containers: [log] } },
  },
  {
    what: 'replaces a list',
    document: { spec: { containers: [web] } },
    patch: { spec: { containers: [{ $patch: 'replace' }, log] } },
    result: { spec: { containers: [log] } },
  },
  {
    what: 'replaces an object',
    document: { metadata: { labels: { a: '1' } } },
    patch: { metadata: { labels: { $patch: 'replace', b: '2' } } },
    result: { metadata: { labels: { b: '2' } } },
  },
  {
    what: 'empties an object',
    document: { metadata: { labels: { a: '1' } } },
    patch: { metadata: { labels: { $patch: 'delete' } } },
    result: { metadata: { labels: {} } },
  },
  {
    what: 'unites scalars',
    document: { metadata: { finalizers } },
    patch: { metadata: { finalizers: ['x.io/b', 'x.io/c'] } },
    result: { metadata: { finalizers: ['x.io/a', 'x.io/b', 'x.io/c'] } },
  },
  {
    what: 'deletes scalars',
    document: { metadata: { finalizers } },
    patch: { metadata: { '$deleteFromPrimitiveList/finalizers': ['x.io/a', 'x.io/z'] } },
    result: { metadata: { finalizers: ['x.io/b'] } },
  },
  {
    what: 'replaces lists that do not merge',
    document: { spec: { containers: [{ name: 'web', command: ['a', 'b'] }] } },
    patch: { spec: { containers: [{ name: 'web', command: ['c'] }] } },
    result: { spec: { containers: [{ name: 'web', command: ['c'] }] } },
  },
  {
    what: 'keeps the named keys of a union only',
    document: { spec: { volumes: [{ name: 'v', emptyDir: { medium: 'Memory' } }] } },
    patch: {
      spec: { volumes: [{ name: 'v', $retainKeys: ['name', 'hostPath'], hostPath: { path: '/x' } }] },
    },
    result: { spec: { volumes: [{ name: 'v', hostPath: { path: '/x' } }] } },
  },
  {
    what: 'leaves no directive in what it adds',
    document: {},
    patch: {
      spec: {
        volumes: [
          { name: 'v', $retainKeys: ['name'] },
          { $patch: 'delete', name: 'w' },
        ],
        nodeName: null,
      },
    },
    result: { spec: { volumes: [{ name: 'v' }] } },
  },
  {
    what: 'orders nothing where there is no list, or one that does not merge',
    document: { spec: { containers: [{ name: 'web', command: ['a', 'b'] }], volumes: 'odd' } },
    patch: {
      spec: {
        '$setElementOrder/containers': [{ name: 'web' }],
        '$setElementOrder/initContainers': [{ name: 'web' }],
        '$setElementOrder/volumes': [{ name: 'v' }],
        containers: [{ name: 'web', '$setElementOrder/command': ['b', 'a'] }],
      },
    },
    result: { spec: { containers: [{ name: 'web', command: ['a', 'b'] }], volumes: 'odd' } },
  },
  {
    what: 'deletes no scalars where there is no list',
    document: { metadata: { name: 'p' } },
    patch: { metadata: { '$deleteFromPrimitiveList/finalizers': ['x.io/a'] } },
    result: { metadata: { name: 'p' } },
  },
  {
    what: 'replaces a value of another shape',
    document: { spec: { nodeName: 'a', containers: 'odd' } },
    patch: { spec: { containers: [web] } },
    result: { spec: { nodeName: 'a', containers: [web] } },
  },
];
for (const { what, document, patch, result } of rows) {
  test(`a patch ${what}`, () => {
    const clean = JSON.parse(JSON.stringify(patch)) as JsonObject;
    const before = copyJson([document, clean]);
    const merged = applyStrategicMergePatch(document, clean, pod);
    assert.deepEqual(merged, result);
    assert.deepEqual([document, clean], before, 'the arguments are as they were');
    assert.deepEqual(applyStrategicMergePatch(merged, clean, pod), result, 'a second time changes nothing');
  });
}

test('merge keys may be numbers', () => {
  const document = {
    spec: {
      ports: [
        { port: 80, name: 'a' },
        { port: 443, name: 'b' },
      ],
    },
  };
  const merged = applyStrategicMergePatch(
    document,
    { spec: { ports: [{ port: 443, nodePort: 30443 }] } },
    service,
  );
  assert.deepEqual(merged, {
    spec: {
      ports: [
        { port: 80, name: 'a' },
        { port: 443, name: 'b', nodePort: 30443 },
      ],
    },
  });
});

test('new elements of an ordered list are placed where deleted ones were', () => {
  const names = (result: JsonValue) =>
    (result as { spec: { containers: { name: string }[] } }).spec.containers.map(({ name }) => name);
  const order = [{ name: 'b' }, { name: 'd' }];
  const patch = (containers: JsonValue[]) => ({ spec: { '$setElementOrder/containers': order, containers } });
  const document = { spec: { containers: ['a', 'b', 'c'].map(name => ({ name })) } };
  const replaced = patch([{ name: 'd' }, { $patch: 'delete', name: 'a' }]);
  assert.deepEqual(names(applyStrategicMergePatch(document, replaced, pod)), ['b', 'c', 'd']);
  assert.deepEqual(names(applyStrategicMergePatch(document, patch([{ name: 'd' }]), pod)), [
    'a',
    'b',
    'd',
    'c',
  ]);
});

test('a list is added as it is where there is none, elements without a merge key too', () => {
  const patch = { spec: { containers: [{ image: 'web:1' }, { image: 'log:1' }] } };
  assert.deepEqual(applyStrategicMergePatch({ spec: {} }, patch, pod), patch);
});

const refused: { what: string; document?: JsonValue; patch: JsonValue; code: number; field?: string }[] = [
  { what: 'that is a list', patch: [], code: 400 },
  { what: 'of a document that is a list', document: [], patch: {}, code: 400 },
  { what: 'with an element without its key', patch: { spec: { containers: [{ image: 'x' }] } }, code: 422 },
  { what: 'with an unknown directive', patch: { spec: { $patch: 'explode' } }, code: 422 },
  { what: 'that retains no list', patch: { spec: { $retainKeys: 'name' } }, code: 400 },
  { what: 'that retains a number', patch: { spec: { $retainKeys: [1] } }, code: 400 },
  { what: 'that retains nothing that can be', patch: { spec: { $retainKeys: null } }, code: 400 },
  {
    what: 'that sets what it does not retain',
    patch: { spec: { $retainKeys: ['a'], nodeName: 'b' } },
    code: 422,
  },
  {
    what: 'that sets what it does not retain in a part that is new',
    patch: { status: { $retainKeys: ['a'], phase: 'b' } },
    code: 422,
    field: 'patch',
  },
  {
    what: 'whose order names other elements',
    patch: { spec: { '$setElementOrder/containers': [{ name: 'web' }], containers: [log] } },
    code: 422,
  },
  {
    what: 'whose order is another one',
    patch: {
      spec: { '$setElementOrder/containers': [{ name: 'web' }, { name: 'log' }], containers: [log, web] },
    },
    code: 422,
  },
  {
    what: 'whose order of a list that it adds is another one',
    document: { spec: {} },
    patch: {
      spec: { '$setElementOrder/containers': [{ name: 'web' }, { name: 'log' }], containers: [log, web] },
    },
    code: 422,
  },
];
for (const { what, document = { spec: { containers: [web] } }, patch, code, field } of refused) {
  test(`a patch ${what} is refused with ${code}`, () => {
    assert.throws(
      () => applyStrategicMergePatch(document, patch, pod),
      (error: StatusError) => error.code === code && error.causes[0]?.field === field,
    );
  });
}

test('a field named __proto__ is an ordinary field', () => {
  const patch = JSON.parse(
    '{"__proto__":{"polluted":1},"metadata":{"labels":{"__proto__":"x"}}}',
  ) as JsonValue;
  const merged = applyStrategicMergePatch({ metadata: { labels: { a: 'b' } } }, patch, pod) as {
    metadata: { labels: object };
  };
  assert.deepEqual(Object.keys(merged.metadata.labels), ['a', '__proto__']);
  assert.equal(Reflect.get({}, 'polluted'), undefined);
});

test('long lists are merged completely', () => {
  const element = (i: number, image: string) => ({ name: `c${i}`, image });
  const count = 20_000;
  const document = { spec: { containers: Array.from({ length: count }, (_, i) => element(i, 'a')) } };
  const patch = { spec: { containers: Array.from({ length: count }, (_, i) => element(count - i, 'b')) } };
  const { spec } = applyStrategicMergePatch(document, patch, pod) as typeof document;
  assert.equal(spec.containers.length, count + 1);
  assert.equal(spec.containers.filter(({ image }) => image === 'b').length, count);
});
