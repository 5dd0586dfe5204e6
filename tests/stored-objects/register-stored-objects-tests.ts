import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { type ApiObject, isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import { applyDefaults, createTypeRegistry, type ResourceDefinition } from '@binnacle/api-types';
import { decodeStored } from '@binnacle/codecs';
import { decodeBodyAtOnce } from '@binnacle/codecs/testing';
import type { ConformanceServer } from '../conformance/drivers/conformance-server.ts';
import { until } from '../journeys/api-server.ts';
import type { StoredRecord } from './fixture.ts';

/** A stored object, and where it is served. */
interface StoredObject {
  readonly key: string;
  /** As it was stored, without a resourceVersion. */
  readonly object: ApiObject;
  /** `/api/v1/pods`, and the same in the namespace. */
  readonly everywhere: string;
  readonly collection: string;
  readonly path: string;
  readonly name: string;
  /** Undefined for objects of custom definitions. */
  readonly definition: ResourceDefinition | undefined;
}

const registry = createTypeRegistry({ everyVersion: true });
const json = 'application/json';
const yaml = 'application/yaml';
const protobuf = 'application/vnd.cluster.protobuf';
const table = 'application/json;as=Table;g=meta.cluster.io;v=v1';
const mergePatch = 'application/merge-patch+json';

/** Objects that the samples made; the others come to be by themselves at every server. */
function samplesAmong(records: readonly StoredRecord[]): StoredObject[] {
  return records
    .filter(({ key }) => !key.startsWith('/_'))
    .map(({ key, value }) => storedObject(key, decodeStored(value, 0)))
    .filter(({ object }) =>
      (object.metadata.managedFields ?? []).some(({ manager = '' }) => ownManagers.has(manager)),
    );
}

const ownManagers = new Set(['sample', 'first', 'second']);

function storedObject(key: string, object: ApiObject): StoredObject {
  const [, groupName = '', resource = '', namespace = '', ...rest] = key.split('/');
  const group = groupName === 'core' ? '' : groupName;
  const version = object.apiVersion.slice(object.apiVersion.indexOf('/') + 1);
  const definition = registry.resource(group, version, resource);
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const name = rest.join('/');
  const collection = `${root}${namespace === '' ? '' : `/namespaces/${namespace}`}/${resource}`;
  delete object.metadata.resourceVersion;
  return {
    key,
    object,
    everywhere: `${root}/${resource}`,
    collection,
    path: `${collection}/${name}`,
    name,
    definition,
  };
}

/**
 * Registers the tests of objects that another release stored: each is read in every form, listed, watched, changed by every
 * kind of write, and deleted.
 */
export function registerStoredObjectsTests(
  name: string,
  start: () => Promise<{ readonly server: ConformanceServer; readonly records: readonly StoredRecord[] }>,
): void {
  suite(name, () => {
    let server: ConformanceServer;
    let samples: readonly StoredObject[] = [];

    before(async () => {
      const started = await start();
      server = started.server;
      samples = samplesAmong(started.records);
      assert.ok(samples.length > 60, `${samples.length} samples`);
    });

    const read = async (path: string): Promise<ApiObject> => {
      const { body } = await server.expect(200, 'GET', path);
      return body as ApiObject; // The tests look at what objects have.
    };

    test('each is read as it is stored', async () => {
      for (const { path, object } of samples) {
        const { aggregationRule, rules = null } = object;
        // A controller writes the rules again while the roles that it gathers come into the store.
        if (aggregationRule !== undefined)
          await until(`${path} has its rules`, async () =>
            isDeepStrictEqual((await read(path))['rules'], rules),
          );
        const found = await read(path);
        assertHolds(withoutControllers(found), withoutControllers(object), path);
      }
    });

    test('each is readable in every form', async () => {
      for (const { path, name, definition } of samples) {
        const rows = await server.expect(200, 'GET', path, { accept: table });
        assert.equal(rows.at('rows', 0, 'object', 'metadata', 'name'), name, path);
        const text = await server.expect(200, 'GET', path, { accept: yaml });
        assert.match(text.text, /^apiVersion: /m);
        if (definition === undefined) continue;
        const decode = async (accept: string) => {
          const { bytes } = await server.expect(200, 'GET', path, { accept });
          const { object } = decodeBodyAtOnce(bytes, accept, { definition, fieldValidation: 'Ignore' });
          applyDefaults(definition, object);
          return object;
        };
        const whole = await decode(json);
        assert.deepEqual(await decode(yaml), whole, path);
        assert.deepEqual(await decode(protobuf), whole, path);
      }
    });

    test('each can be listed and watched', async () => {
      for (const everywhere of new Set(samples.map(sample => sample.everywhere))) {
        const names = samples.filter(sample => sample.everywhere === everywhere).map(sample => sample.name);
        const { at } = await server.expect(200, 'GET', everywhere);
        const listed = new Set(items(at('items')).map(readName));
        for (const name of names) assert.ok(listed.has(name), `${everywhere} ${name}`);
        await server.expect(200, 'GET', everywhere, { accept: table });
        using watch = await server.watch(`${everywhere}?watch=true&resourceVersion=0`);
        await until(`${everywhere} is watched`, () => {
          const seen = new Set(watch.events.map(({ object }) => readName(object)));
          return names.every(name => seen.has(name));
        });
      }
    });

    test('each can be changed by every kind of write, and keeps its content', async () => {
      for (const { path, object, name, definition } of samples) {
        const merged = { metadata: { labels: { merged: 'yes' } } };
        await server.expect(200, 'PATCH', path, { body: merged, contentType: mergePatch });
        const operation = { op: 'add', path: '/metadata/labels/operated', value: 'yes' };
        await server.expect(200, 'PATCH', path, {
          body: [operation],
          contentType: 'application/json-patch+json',
        });
        if (definition !== undefined) {
          const body = { metadata: { labels: { patched: 'yes' } } };
          await server.expect(200, 'PATCH', path, {
            body,
            contentType: 'application/strategic-merge-patch+json',
          });
        }
        const { apiVersion, kind } = await read(path);
        const configuration = { apiVersion, kind, metadata: { name, labels: { applied: 'yes' } } };
        await server.expect(200, 'PATCH', `${path}?fieldManager=tests`, {
          body: configuration,
          contentType: 'application/apply-patch+yaml',
        });
        await replaced(path);
        if (definition?.subresources.has('status') === true)
          await server.expect(200, 'PATCH', `${path}/status`, {
            body: { status: {} },
            contentType: mergePatch,
          });
        const { metadata, ...rest } = await read(path);
        for (const label of ['merged', 'operated', 'applied', 'put'])
          assert.equal(metadata.labels?.[label], 'yes', path);
        assertHolds(readContent(rest), readContent(object), path);
      }
    });

    async function replaced(path: string): Promise<void> {
      // Controllers may write in between.
      await until(`${path} is replaced`, async () => {
        const object = await read(path);
        object.metadata.labels = { ...object.metadata.labels, put: 'yes' };
        const { code, text } = await server.request('PUT', path, { body: object, contentType: json });
        assert.ok(code === 200 || code === 409, `${code} ${text}`);
        return code === 200;
      });
    }

    test('each can be deleted, definitions and namespaces with their content', async () => {
      const last = samples.toSorted((a, b) => rankObject(a) - rankObject(b));
      for (const { path } of last) {
        const deleted = await server.request('DELETE', `${path}?gracePeriodSeconds=0`);
        assert.ok([200, 202, 404, 409].includes(deleted.code), `${path} ${deleted.code} ${deleted.text}`);
        const body = { metadata: { finalizers: null } };
        const freed = await server.request('PATCH', path, { body, contentType: mergePatch });
        assert.ok([200, 404].includes(freed.code), `${path} ${freed.code} ${freed.text}`);
      }
      for (const { path } of last)
        await until(`${path} is gone`, async () => (await server.request('GET', path)).code === 404);
    });
  });
}

/** Asserts that everything that was stored is there; defaults that are younger may come to it. */
function assertHolds(found: JsonValue, stored: JsonValue, path: string): void {
  if (Array.isArray(stored) && Array.isArray(found)) {
    assert.equal(found.length, stored.length, path);
    for (const [index, item] of stored.entries()) assertHolds(found[index] ?? null, item, `${path}/${index}`);
  } else if (isJsonObject(stored) && isJsonObject(found)) {
    for (const [name, value] of Object.entries(stored))
      assertHolds(found[name] ?? null, value, `${path}/${name}`);
  } else assert.deepEqual(found, stored, path);
}

/** Definitions go after their objects, namespaces last. */
function rankObject({ key }: StoredObject): number {
  if (key.startsWith('/core/namespaces/')) return 2;
  return key.startsWith('/apiextensions.cluster.io/') ? 1 : 0;
}

function items(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function readName(object: JsonValue): unknown {
  const metadata = isJsonObject(object) ? object['metadata'] : undefined;
  return isJsonObject(metadata) ? metadata['name'] : undefined;
}

/** The members that no controller changes while the tests run, and no alias: the apiVersion of a definition names the group as its author does. */
function readContent(object: Partial<ApiObject>): JsonObject {
  const { apiVersion: _apiVersion, metadata: _metadata, status: _status, ...content } = object;
  return content as JsonObject; // The rest of an object.
}

function withoutControllers(object: ApiObject): JsonObject {
  const { uid = '', creationTimestamp = '', annotations = {} } = object.metadata;
  return { ...readContent(object), uid, creationTimestamp, annotations };
}
