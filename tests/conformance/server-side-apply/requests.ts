import assert from 'node:assert/strict';
import { isJsonObject } from '@binnacle/api-objects';
import { until } from '../../journeys/api-server.ts';
import { type Answer, at, type ConformanceTests } from '../drivers/conformance-server.ts';
import { fieldManagers, managerEntry } from './field-managers.ts';
import { applyType, configMap, createWriters } from './writers.ts';

/** Reason, and reason and field of each cause, of a Status. */
function findings({ body }: Answer): unknown {
  const causes = at(body, 'details', 'causes') ?? [];
  if (!Array.isArray(causes)) throw new Error('the causes are no list');
  return [body['reason'], ...causes.filter(isJsonObject).map(({ reason, field }) => `${reason} ${field}`)];
}

/** The parts of an apply: spec 1, "Server-side apply", 1 to 3. */
export const applyRequestTests: ConformanceTests = {
  async '1/Server-side apply/1a a partial object is applied, the rest stays'(server) {
    const { create, apply, read } = await createWriters(server);
    await create('creator', configMap('a', { a: '1', b: '1' }, { labels: { l: '1' } }));
    const { code, at } = await apply('m', configMap('a', { c: '1' }));
    assert.equal(code, 200);
    assert.deepEqual(at('data'), { a: '1', b: '1', c: '1' });
    const stored = await read(configMap('a'));
    assert.deepEqual(stored.at('data'), { a: '1', b: '1', c: '1' });
    assert.deepEqual(stored.at('metadata', 'labels'), { l: '1' });
  },

  async '1/Server-side apply/1a the body is YAML, of which JSON is a part'(server) {
    const { pathFromObject } = await createWriters(server);
    const path = `${pathFromObject(configMap('a'))}?fieldManager=m`;
    const yaml =
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  labels: {x: "y"}\ndata:\n  a: "1"\n';
    const created = await server.expect(201, 'PATCH', path, { body: yaml, contentType: applyType });
    assert.deepEqual(created.at('data'), { a: '1' });
    assert.deepEqual(created.at('metadata', 'labels'), { x: 'y' });
    const json = JSON.stringify(configMap('a', { a: '2' }));
    const merged = await server.expect(200, 'PATCH', path, { body: json, contentType: applyType });
    assert.deepEqual(merged.at('data'), { a: '2' });
  },

  async '1/Server-side apply/1a another media type is no apply'(server) {
    const { pathFromObject } = await createWriters(server);
    const answer = await server.expect(415, 'PATCH', `${pathFromObject(configMap('a'))}?fieldManager=m`, {
      body: configMap('a'),
      contentType: 'application/yaml',
    });
    assert.equal(answer.at('reason'), 'UnsupportedMediaType');
    assert.match(String(answer.at('message')), /application\/apply-patch\+yaml/);
  },

  async '1/Server-side apply/1a it is about the object of the path, in the version of the path'(server) {
    const { pathFromObject } = await createWriters(server);
    const path = `${pathFromObject(configMap('a'))}?fieldManager=m`;
    const bodies = {
      'another name': configMap('b'),
      'no name': { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} },
      'another namespace': configMap('a', undefined, { namespace: 'default' }),
      'another version': { ...configMap('a'), apiVersion: 'v2' },
      'no version': { kind: 'ConfigMap', metadata: { name: 'a' } },
      'another kind': { ...configMap('a'), kind: 'Secret' },
      'a list': [],
      nothing: '',
      'no YAML': 'a: [',
    };
    for (const [what, body] of Object.entries(bodies)) {
      const answer = await server.request('PATCH', path, { body, contentType: applyType });
      assert.deepEqual([answer.code, answer.at('reason')], [400, 'BadRequest'], `${what}: ${answer.text}`);
    }
    await server.expect(404, 'GET', pathFromObject(configMap('a')));
  },

  async '1/Server-side apply/1b an object that is not there is created'(server) {
    const { apply, read } = await createWriters(server);
    const { code, body } = await apply('m', configMap('a', { a: '1' }));
    assert.equal(code, 201);
    assert.match(String(at(body, 'metadata', 'uid')), /^[0-9a-f-]{36}$/);
    assert.ok(at(body, 'metadata', 'resourceVersion'));
    assert.ok(at(body, 'metadata', 'creationTimestamp'));
    assert.deepEqual((await read(configMap('a'))).body, body);
    assert.equal((await apply('m', configMap('a', { a: '1' }))).code, 200);
  },

  async '1/Server-side apply/1b a dry run creates nothing'(server) {
    const { apply, pathFromObject } = await createWriters(server);
    const { code, at } = await apply('m', configMap('a', { a: '1' }), { query: 'dryRun=All' });
    assert.equal(code, 201);
    assert.deepEqual(at('data'), { a: '1' });
    assert.equal(at('metadata', 'resourceVersion'), undefined);
    await server.expect(404, 'GET', pathFromObject(configMap('a')));
  },

  async '1/Server-side apply/1b the rules of a create hold for it'(server) {
    const { tryApply } = await createWriters(server);
    const badName = await tryApply('m', configMap('Bad_'));
    assert.equal(badName.code, 422);
    assert.deepEqual(findings(badName), ['Invalid', 'FieldValueInvalid metadata.name']);
    const badKey = await tryApply('m', configMap('a', { 'a b': 'x' }));
    assert.equal(badKey.code, 422);
    assert.deepEqual(findings(badKey), ['Invalid', 'FieldValueInvalid data[a b]']);
    const uid = await tryApply('m', configMap('a', {}, { uid: 'abc' }));
    assert.deepEqual([uid.code, uid.at('reason')], [409, 'Conflict']);
    const nowhere = await server.request(
      'PATCH',
      '/api/v1/namespaces/no-such-namespace/configmaps/a?fieldManager=m',
      { body: configMap('a'), contentType: applyType },
    );
    assert.equal(nowhere.code, 404);
    assert.deepEqual(nowhere.at('details'), { name: 'no-such-namespace', kind: 'namespaces' });
  },

  async '1/Server-side apply/1c an apply merges into what is there'(server) {
    const { apply } = await createWriters(server);
    await apply('m1', configMap('a', { a: '1' }, { labels: { a: '1' } }));
    const { code, at } = await apply('m2', configMap('a', { b: '2' }, { labels: { b: '2' } }));
    assert.equal(code, 200);
    assert.deepEqual(at('data'), { a: '1', b: '2' });
    assert.deepEqual(at('metadata', 'labels'), { a: '1', b: '2' });
  },

  async '1/Server-side apply/1c the same apply again changes nothing, not even a time'(server) {
    const { apply, namespace } = await createWriters(server);
    const first = await apply('m', configMap('a', { a: '1' }));
    const version = first.at('metadata', 'resourceVersion');
    using watch = await server.watch(
      `/api/v1/namespaces/${namespace}/configmaps?watch=1&resourceVersion=${version}`,
    );
    await secondAfter(String(managerEntry(first.body, 'm')?.['time']));
    const repeated = await apply('m', configMap('a', { a: '1' }));
    assert.deepEqual(repeated.body, first.body);
    await apply('m', configMap('b'));
    const names = () => watch.events.map(event => event.at('metadata', 'name'));
    await until('the event of b', () => names().includes('b'));
    assert.ok(!names().includes('a'), 'no event of a before it');
  },

  async '1/Server-side apply/1c the time of a manager moves when its fields or values change'(server) {
    const { apply } = await createWriters(server);
    await apply('m', configMap('a', { a: '1' }));
    const before = await apply('other', configMap('a', { b: '1' }));
    const readTime = (answer: Answer, manager: string) =>
      String(managerEntry(answer.body, manager)?.['time']);
    const [mine, others] = [readTime(before, 'm'), readTime(before, 'other')];
    await secondAfter(others);
    const changed = await apply('m', configMap('a', { a: '2' }));
    assert.ok(Date.parse(readTime(changed, 'm')) > Date.parse(mine), 'a new value');
    assert.equal(readTime(changed, 'other'), others, 'what others did has not changed');
    await secondAfter(readTime(changed, 'm'));
    const grown = await apply('m', configMap('a', { a: '2', c: '1' }));
    assert.ok(Date.parse(readTime(grown, 'm')) > Date.parse(readTime(changed, 'm')), 'a new field');
    assert.equal(readTime(grown, 'other'), others);
  },

  async '1/Server-side apply/2a an apply without a manager is refused'(server) {
    const { pathFromObject } = await createWriters(server);
    for (const query of ['', '?fieldManager=']) {
      const answer = await server.expect(422, 'PATCH', pathFromObject(configMap('a')) + query, {
        body: configMap('a'),
        contentType: applyType,
      });
      assert.deepEqual(findings(answer), ['Invalid', 'FieldValueRequired fieldManager']);
      assert.equal(answer.at('details', 'kind'), 'PatchOptions');
      assert.equal(answer.at('details', 'group'), 'meta.cluster.io');
    }
    await server.expect(404, 'GET', pathFromObject(configMap('a')));
  },

  async '1/Server-side apply/2a a manager has at most 128 printable characters'(server) {
    const { tryApply } = await createWriters(server);
    const long = await tryApply('x'.repeat(129), configMap('a'));
    assert.deepEqual([long.code, findings(long)], [422, ['Invalid', 'FieldValueTooLong fieldManager']]);
    const unprintable = await tryApply('a%07b', configMap('a'));
    assert.equal(unprintable.code, 422);
    assert.deepEqual(findings(unprintable), ['Invalid', 'FieldValueInvalid fieldManager']);
    assert.equal((await tryApply('x'.repeat(128), configMap('a'))).code, 201);
  },

  async '1/Server-side apply/2b other writes name their manager with fieldManager'(server) {
    const { create, update, patch } = await createWriters(server);
    const created = await create('creator', configMap('a', { a: '1' }));
    assert.deepEqual(Object.keys(fieldManagers(created.body)), ['creator Update']);
    const updated = await update('updater', configMap('a', { a: '2' }));
    assert.ok('updater Update' in fieldManagers(updated.body));
    const patched = await patch('patcher', configMap('a'), {
      type: 'merge-patch',
      body: { data: { b: '1' } },
    });
    assert.deepEqual(fieldManagers(patched.body)['patcher Update'], ['.data.b']);
  },

  async '1/Server-side apply/2b without fieldManager the user agent names it, up to its first slash'(server) {
    const { namespace } = await createWriters(server);
    const collection = `/api/v1/namespaces/${namespace}/configmaps`;
    const agents = { 'my tool/v1.2 (linux)': 'my tool', plain: 'plain' };
    for (const [index, [agent, manager]] of Object.entries(agents).entries()) {
      const created = await server.expect(201, 'POST', collection, {
        body: configMap(`a${index}`, { a: '1' }),
        headers: { 'User-Agent': agent },
      });
      assert.deepEqual(Object.keys(fieldManagers(created.body)), [`${manager} Update`]);
      const patched = await server.expect(200, 'PATCH', `${collection}/a${index}`, {
        body: { data: { b: '1' } },
        contentType: 'application/merge-patch+json',
        headers: { 'User-Agent': `other-${agent}` },
      });
      assert.deepEqual(fieldManagers(patched.body)[`other-${manager} Update`], ['.data.b']);
    }
  },

  async '1/Server-side apply/3 managedFields in what is applied are refused'(server) {
    const { apply, tryApply, read } = await createWriters(server);
    const entry = {
      manager: 'x',
      operation: 'Apply',
      apiVersion: 'v1',
      fieldsType: 'FieldsV1',
      fieldsV1: {},
    };
    const sent = configMap('a', { a: '2' }, { managedFields: [entry] });
    const onCreate = await tryApply('m', sent);
    assert.deepEqual([onCreate.code, onCreate.at('reason')], [400, 'BadRequest']);
    assert.match(String(onCreate.at('message')), /managedFields/);
    const { body } = await apply('m', configMap('a', { a: '1' }));
    const onMerge = await tryApply('m', sent);
    assert.deepEqual([onMerge.code, onMerge.at('reason')], [400, 'BadRequest']);
    assert.deepEqual((await read(configMap('a'))).body, body);
  },
};

/** Waits until the clock shows a later second than a time. */
async function secondAfter(time: string): Promise<void> {
  await until(`a second after ${time}`, () => Date.now() >= Date.parse(time) + 1000);
}
