import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTypeRegistry } from '@binnacle/api-types';
import { StatusError } from '@binnacle/status-errors';
import { parseListOptions } from './list-options.ts';

const registry = createTypeRegistry({ everyVersion: true });

function parse(query: string, group = '', resource = 'pods') {
  const definition = registry.resource(group, 'v1', resource);
  assert.ok(definition);
  return parseListOptions(new URLSearchParams(query), definition);
}

const versions: readonly [query: string, version: ReturnType<typeof parse>['version']][] = [
  ['', { kind: 'mostRecent' }],
  ['limit=5', { kind: 'mostRecent' }],
  ['resourceVersion=0', { kind: 'any' }],
  ['resourceVersion=0&limit=5', { kind: 'any' }],
  ['resourceVersion=7', { kind: 'notOlderThan', revision: 7 }],
  ['resourceVersion=7&limit=0', { kind: 'notOlderThan', revision: 7 }],
  ['resourceVersion=7&limit=1', { kind: 'exact', revision: 7 }],
  ['resourceVersion=7&limit=1&resourceVersionMatch=NotOlderThan', { kind: 'notOlderThan', revision: 7 }],
  ['resourceVersion=7&resourceVersionMatch=Exact', { kind: 'exact', revision: 7 }],
  ['resourceVersion=0&resourceVersionMatch=NotOlderThan', { kind: 'any' }],
  ['continue=abc&limit=1', { kind: 'continue', token: 'abc' }],
  ['continue=abc&resourceVersion=0', { kind: 'continue', token: 'abc' }],
];
for (const [query, version] of versions) {
  test(`a list with ${query || 'no parameters'} shows the version ${version.kind}`, () => {
    assert.deepEqual(parse(query).version, version);
  });
}

const refusals: readonly [query: string, code: number, message: string][] = [
  ['continue=abc&resourceVersion=7', 400, 'specifying resource version is not allowed when using continue'],
  ['limit=many', 400, 'limit must be a whole number, not "many"'],
  ['timeoutSeconds=soon', 400, 'timeoutSeconds must be a whole number, not "soon"'],
  [
    'resourceVersionMatch=Exact',
    422,
    'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
  ],
  [
    'resourceVersion=0&resourceVersionMatch=Exact',
    422,
    'resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
  ],
  [
    'resourceVersion=7&resourceVersionMatch=Newer',
    422,
    'resourceVersionMatch: Unsupported value: "Newer": supported values: "Exact", "NotOlderThan", ""',
  ],
  [
    'resourceVersion=7&resourceVersionMatch=NotOlderThan&continue=abc',
    422,
    'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided',
  ],
  ['sendInitialEvents=true', 422, 'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list'],
  [
    'fieldSelector=spec.image%3Dx',
    400,
    '"spec.image" is not a known field selector: only "metadata.name", "metadata.namespace"',
  ],
];
for (const [query, code, message] of refusals) {
  test(`a list with ${query} is refused`, () => {
    assert.throws(
      () => parse(query),
      (error: unknown) => {
        assert.ok(error instanceof StatusError);
        assert.equal(error.code, code);
        assert.ok(error.message.includes(message), error.message);
        return true;
      },
    );
  });
}

test('a limit below zero is no limit', () => {
  assert.deepEqual([parse('limit=-1').limit, parse('limit=3').limit, parse('').limit], [0, 3, 0]);
});

test('selectors choose by labels, and by names, namespaces and the fields of the kind', () => {
  const { labelSelector, fieldSelector } = parse(
    'labelSelector=app%3Da&fieldSelector=metadata.namespace%3Dt,spec.nodeName!%3Dn',
  );
  assert.deepEqual(
    [{ app: 'a' }, { app: 'b' }, {}].map(labels => labelSelector.matches(labels)),
    [true, false, false],
  );
  const matches = (namespace: string, node: string) =>
    fieldSelector.matches({ 'metadata.namespace': namespace, 'spec.nodeName': node });
  assert.deepEqual([matches('t', 'm'), matches('t', 'n'), matches('u', 'm')], [true, false, false]);
});

test('a field selector names fields as the stored form does, and those without another name as they are', () => {
  const query = 'fieldSelector=regarding.name%3Da,reason%3Db,metadata.name%3Dc';
  const { fieldSelector } = parse(query, 'events.cluster.io', 'events');
  assert.deepEqual(
    fieldSelector.requirements.map(({ field, value }) => [field, value]),
    [
      ['metadata.name', 'c'],
      ['reason', 'b'],
      ['involvedObject.name', 'a'],
    ],
  );
});

test('a list without selectors selects every object', () => {
  const { labelSelector, fieldSelector } = parse('labelSelector=&fieldSelector=');
  assert.ok(labelSelector.matches({}));
  assert.ok(fieldSelector.matches({ 'metadata.name': 'a' }));
});
