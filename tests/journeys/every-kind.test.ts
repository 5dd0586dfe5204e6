import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { finalizers } from '@binnacle/api-names';
import { inThisVocabulary } from '@binnacle/api-names/testing';
import { isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import { createTypeRegistry, type ResourceDefinition } from '@binnacle/api-types';
import { applyMergePatch } from '@binnacle/patching';
import { type AdminServer, at, startAdminServer } from './admin-server.ts';
import { objectAt } from './setup/json-parts.ts';

/** An object of a kind at its creation. */
interface Creation {
  /** `group/version/resource`; `v1/resource` for the core group. */
  readonly resource: string;
  /** The least that is accepted, without what every object has. */
  readonly sent: JsonObject;
  /** The stored object: with the defaults, and with the fields that the server adds. */
  readonly stored: JsonObject;
  /** More that may be sent, of which nothing is kept: a merge patch of `sent`. */
  readonly dropped?: JsonObject;
  /** More that may be sent, and what is said of it. */
  readonly warned?: { readonly with: JsonObject; readonly warnings: readonly string[] };
  /** Paths of values that differ from time to time. */
  readonly varying?: readonly string[];
}

const text = await readFile(join(import.meta.dirname, 'every-kind/creations.json'), 'utf8');
const creations = JSON.parse(
  inThisVocabulary(text).replace('"finalizers": ["cluster"]', `"finalizers": ["${finalizers.namespace}"]`),
) as readonly Creation[]; // The file is a part of this test.

const registry = createTypeRegistry({ everyVersion: true });

function findDefinition({ resource }: Creation): ResourceDefinition {
  const parts = resource.split('/');
  const found = registry.resource(
    parts.length === 3 ? (parts[0] ?? '') : '',
    parts.at(-2) ?? '',
    parts.at(-1) ?? '',
  );
  assert.ok(found, resource);
  return found;
}

let server: AdminServer;
let namespace: string;
before(async () => {
  server = await startAdminServer({ runtimeConfig: 'api/all=true' });
  const path = await server.namespace();
  namespace = path.split('/').at(-1) ?? '';
  await server.expect(201, 'POST', `${path}/serviceaccounts`, { body: { metadata: { name: 'a' } } });
});
after(() => server?.[Symbol.asyncDispose]());

const name = 'every';

/** The path of the resource, in the namespace of the test where it has one. */
function createPath({ group, version, resource, namespaced }: ResourceDefinition): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return namespaced ? `${root}/namespaces/${namespace}/${resource}` : `${root}/${resource}`;
}

/** The object that is sent: what the row says, with more merged into it. */
function createObject(definition: ResourceDefinition, { sent }: Creation, more: JsonObject = {}): JsonObject {
  const { group, version, kind } = definition;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const object = {
    apiVersion,
    kind,
    ...sent,
    metadata: { name, ...(sent['metadata'] as JsonObject | undefined) },
  };
  const text = JSON.stringify(applyMergePatch(object, more)).replaceAll('"t"', `"${namespace}"`);
  return objectAt(JSON.parse(text));
}

/** An object without what differs from time to time, and without its type, name and namespace. */
function comparable(object: JsonObject, { varying = [] }: Creation): JsonValue {
  const uid = String(at(object, 'metadata', 'uid'));
  assert.match(uid, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  assert.match(String(at(object, 'metadata', 'creationTimestamp')), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const text = JSON.stringify(object).replaceAll(uid, '<uid>').replaceAll(`"${namespace}"`, '"t"');
  const { apiVersion: _v, kind: _k, metadata, ...rest } = JSON.parse(text);
  for (const key of ['uid', 'creationTimestamp', 'resourceVersion', 'managedFields', 'namespace'])
    delete metadata[key];
  if (metadata.name === name) delete metadata.name;
  const whole = { ...(Object.keys(metadata).length > 0 && { metadata }), ...rest };
  for (const path of varying) mask(whole, path.split('.'));
  return whole;
}

function mask(object: JsonObject, [first = '', ...others]: readonly string[]): void {
  const value = object[first];
  if (others.length === 0) {
    assert.notEqual(value, undefined, first);
    object[first] = '<varies>';
  } else if (isJsonObject(value)) mask(value, others);
}

/** Metadata that clients may send with a new object, and that the server ignores. */
const systemMetadata: JsonObject = {
  uid: '11111111-2222-3333-4444-555555555555',
  creationTimestamp: '2001-01-01T00:00:00Z',
  deletionTimestamp: '2001-01-01T00:00:00Z',
  deletionGracePeriodSeconds: 7,
  selfLink: '/x',
};

test('every kind has a row in the table', () => {
  const created = registry.resources.filter(({ stored, verbs }) => stored && verbs.includes('create'));
  assert.deepEqual(creations.map(findDefinition).map(createPath).sort(), created.map(createPath).sort());
});

for (const creation of creations) {
  const definition = findDefinition(creation);
  const { dropped = {}, warned, stored } = creation;
  const always = definition.deprecation === undefined ? [] : [definition.deprecation];
  const post = async (more: JsonObject, query: string) =>
    await server.send('POST', createPath(definition) + query, {
      body: createObject(definition, creation, more),
    });

  suite(creation.resource, () => {
    test('ignores the fields that only the server sets', async () => {
      const status = definition.subresources.has('status') && definition.rules.statusAtCreation !== true;
      // Others have a generation that is theirs to say.
      const generation = at(stored, 'metadata', 'generation') === undefined ? {} : { generation: 77 };
      const more = {
        ...dropped,
        metadata: { ...systemMetadata, ...generation },
        ...(status && { status: { conditions: null } }),
      };
      const { code, body, warnings } = await post(more, '?dryRun=All&fieldValidation=Strict');
      assert.deepEqual([code, warnings], [201, always], JSON.stringify(body));
      assert.deepEqual(comparable(body, creation), stored);
    });

    test('keeps labels, annotations and finalizers', async () => {
      const metadata = {
        labels: { 'example.com/a': 'b' },
        annotations: { 'example.com/a': 'b' },
        finalizers: ['example.com/keep'],
      };
      const { code, body } = await post({ metadata }, '?dryRun=All');
      assert.equal(code, 201, JSON.stringify(body));
      assert.equal(at(body, 'metadata', 'labels', 'example.com/a'), 'b');
      assert.equal(at(body, 'metadata', 'annotations', 'example.com/a'), 'b');
      const finalizers = at(body, 'metadata', 'finalizers');
      assert.ok(Array.isArray(finalizers) && finalizers.includes('example.com/keep'));
    });

    if (warned !== undefined)
      test(`returns the warnings: ${warned.warnings.join()}`, async () => {
        const { code, warnings } = await post(warned.with, '?dryRun=All');
        assert.deepEqual([code, warnings], [201, warned.warnings]);
      });

    test('is stored with its defaults', async () => {
      const { code, body, warnings } = await post({}, '');
      assert.deepEqual([code, warnings], [201, always], JSON.stringify(body));
      assert.deepEqual(comparable(body, creation), stored);
      const path = `${createPath(definition)}/${at(body, 'metadata', 'name')}`;
      assert.deepEqual(comparable(await server.expect(200, 'GET', path), creation), stored);
      const { code: deleted } = await server.send('DELETE', path);
      assert.ok(deleted < 300, String(deleted));
    });
  });
}
