import assert from 'node:assert/strict';
import type { JsonValue } from '@binnacle/api-objects';
import { type Answer, at, type ConformanceTests } from '../drivers/conformance-server.ts';
import { fieldManagers } from './field-managers.ts';
import { configMap, createWriters, deployment, service } from './writers.ts';

/** The fields of the causes of a conflict, in their order; fails for what is no conflict of an apply. */
export function conflictFields(answer: Answer): JsonValue[] {
  assert.deepEqual(
    [answer.code, answer.at('reason'), answer.at('code')],
    [409, 'Conflict', 409],
    answer.text,
  );
  const causes = answer.at('details', 'causes');
  assert.ok(Array.isArray(causes), answer.text);
  for (const cause of causes) assert.equal(at(cause, 'reason'), 'FieldManagerConflict');
  return causes.map(cause => at(cause, 'field') ?? null);
}

/** Conflicts and ways out of them: spec 1, "Server-side apply", 5 and 6. */
export const conflictTests: ConformanceTests = {
  async '1/Server-side apply/5a another value for the field of another manager is a 409 with a cause'(
    server,
  ) {
    const { apply, tryApply, read } = await createWriters(server);
    const before = await apply('m1', configMap('a', { a: '1', b: '1' }));
    const answer = await tryApply('m2', configMap('a', { a: '2', c: '1' }));
    assert.deepEqual(conflictFields(answer), ['.data.a']);
    assert.match(String(answer.at('details', 'causes', 0, 'message')), /"m1"/);
    assert.match(String(answer.at('message')), /"m1".*\.data\.a/);
    assert.deepEqual((await read(configMap('a'))).body, before.body, 'nothing of it was applied');
  },

  async '1/Server-side apply/5a there is a cause for each field and manager'(server) {
    const { apply, tryApply } = await createWriters(server);
    await apply('m1', configMap('a', { a: '1', b: '1' }, { labels: { l: '1' } }));
    await apply('m2', configMap('a', { c: '1' }));
    const answer = await tryApply('m3', configMap('a', { a: '2', b: '2', c: '2' }, { labels: { l: '2' } }));
    assert.deepEqual(conflictFields(answer), ['.data.a', '.data.b', '.metadata.labels.l', '.data.c']);
    const managers = [0, 1, 2, 3].map(
      i => /"(m\d)"/.exec(String(answer.at('details', 'causes', i, 'message')))?.[1],
    );
    assert.deepEqual(managers, ['m1', 'm1', 'm1', 'm2']);
  },

  async '1/Server-side apply/5a the owner may be one that updated; its cause names the version'(server) {
    const { apply, patch, tryApply } = await createWriters(server);
    await apply('m1', configMap('a', { a: '1' }));
    await patch('hand', configMap('a'), { type: 'merge-patch', body: { data: { a: '9' } } });
    const answer = await tryApply('m1', configMap('a', { a: '1' }));
    assert.deepEqual(conflictFields(answer), ['.data.a']);
    assert.match(String(answer.at('details', 'causes', 0, 'message')), /"hand".* v1/);
  },

  async '1/Server-side apply/5a a conflict inside of an item names its keys'(server) {
    const { apply, tryApply } = await createWriters(server);
    await apply('m1', service('s', { ports: [{ port: 80, name: 'a' }] }));
    const port = await tryApply('m2', service('s', { ports: [{ port: 80, name: 'b' }] }));
    assert.deepEqual(conflictFields(port), ['.spec.ports[port=80,protocol="TCP"].name']);
    await apply('m1', deployment('d', [{ name: 'c', image: 'i:1' }]));
    const image = await tryApply('m2', deployment('d', [{ name: 'c', image: 'i:2' }]));
    assert.deepEqual(conflictFields(image), ['.spec.template.spec.containers[name="c"].image']);
  },

  async '1/Server-side apply/5a a dry run finds the same conflicts'(server) {
    const { apply, tryApply } = await createWriters(server);
    await apply('m1', configMap('a', { a: '1' }));
    const answer = await tryApply('m2', configMap('a', { a: '2' }), { query: 'dryRun=All' });
    assert.deepEqual(conflictFields(answer), ['.data.a']);
  },

  async '1/Server-side apply/5b an update and every patch take the field from the manager that applied it'(
    server,
  ) {
    const { apply, patch, update } = await createWriters(server);
    const target = configMap('a');
    await apply('m', configMap('a', { j: '1', m: '1', s: '1', u: '1', z: '1' }));
    const jsonPatch = [{ op: 'replace', path: '/data/j', value: '2' }];
    await patch('json', target, { type: 'json-patch', body: jsonPatch });
    await patch('merge', target, { type: 'merge-patch', body: { data: { m: '2' } } });
    await patch('strategic', target, { type: 'strategic-merge-patch', body: { data: { s: '2' } } });
    const { body } = await update('put', configMap('a', { j: '2', m: '2', s: '2', u: '2', z: '1' }));
    assert.deepEqual(at(body, 'data'), { j: '2', m: '2', s: '2', u: '2', z: '1' });
    assert.deepEqual(fieldManagers(body), {
      'm Apply': ['.data.z'],
      'json Update': ['.data.j'],
      'merge Update': ['.data.m'],
      'put Update': ['.data.u'],
      'strategic Update': ['.data.s'],
    });
  },

  async '1/Server-side apply/6a force takes the field; the other manager keeps the rest'(server) {
    const { apply, read } = await createWriters(server);
    await apply('m1', configMap('a', { a: '1', b: '1' }));
    const { code, body } = await apply('m2', configMap('a', { a: '2' }), { query: 'force=true' });
    assert.equal(code, 200);
    assert.deepEqual(at(body, 'data'), { a: '2', b: '1' });
    assert.deepEqual(fieldManagers(body), { 'm1 Apply': ['.data.b'], 'm2 Apply': ['.data.a'] });
    assert.deepEqual((await read(configMap('a'))).body, body);
  },

  async '1/Server-side apply/6a force takes a shared field from all who share it'(server) {
    const { apply, create } = await createWriters(server);
    await create('creator', configMap('a', { a: '1' }));
    for (const manager of ['m1', 'm2', 'm3']) await apply(manager, configMap('a', { a: '1' }));
    const { body } = await apply('m2', configMap('a', { a: '2' }), { query: 'force=true' });
    assert.deepEqual(fieldManagers(body), { 'm2 Apply': ['.data.a'], 'creator Update': ['.data'] });
  },

  async '1/Server-side apply/6a the old owner then conflicts with the new one'(server) {
    const { apply, tryApply } = await createWriters(server);
    await apply('m1', configMap('a', { a: '1' }));
    await apply('m2', configMap('a', { a: '2' }), { query: 'force=true' });
    const answer = await tryApply('m1', configMap('a', { a: '1' }));
    assert.deepEqual(conflictFields(answer), ['.data.a']);
    assert.match(String(answer.at('details', 'causes', 0, 'message')), /"m2"/);
  },

  async '1/Server-side apply/6a force in a dry run takes nothing'(server) {
    const { apply, read } = await createWriters(server);
    const before = await apply('m1', configMap('a', { a: '1' }));
    const dry = await apply('m2', configMap('a', { a: '2' }), { query: 'force=true&dryRun=All' });
    assert.deepEqual(fieldManagers(dry.body), { 'm2 Apply': ['.data.a'] });
    assert.deepEqual(dry.at('data'), { a: '2' });
    assert.deepEqual((await read(configMap('a'))).body, before.body);
  },

  async '1/Server-side apply/6a force=false does not force'(server) {
    const { apply, tryApply } = await createWriters(server);
    await apply('m1', configMap('a', { a: '1' }));
    const answer = await tryApply('m2', configMap('a', { a: '2' }), { query: 'force=false' });
    assert.deepEqual(conflictFields(answer), ['.data.a']);
  },

  async '1/Server-side apply/6b without the field an apply goes through, and the value stays'(server) {
    const { apply, patch } = await createWriters(server);
    await apply('m', configMap('a', { a: '1', b: '1' }));
    await patch('hand', configMap('a'), { type: 'merge-patch', body: { data: { a: '9' } } });
    const { body } = await apply('m', configMap('a', { b: '1' }));
    assert.deepEqual(at(body, 'data'), { a: '9', b: '1' });
    assert.deepEqual(fieldManagers(body), { 'm Apply': ['.data.b'], 'hand Update': ['.data.a'] });
  },

  async '1/Server-side apply/6b a sharer that leaves the field out gives up its share alone'(server) {
    const { apply } = await createWriters(server);
    await apply('m1', configMap('a', { a: '1', b: '1' }));
    await apply('m2', configMap('a', { a: '1' }));
    const { body } = await apply('m1', configMap('a', { b: '1' }));
    assert.deepEqual(at(body, 'data'), { a: '1', b: '1' });
    assert.deepEqual(fieldManagers(body), { 'm1 Apply': ['.data.b'], 'm2 Apply': ['.data.a'] });
    const changed = await apply('m2', configMap('a', { a: '2' }));
    assert.deepEqual(changed.at('data'), { a: '2', b: '1' }, 'the one that is left may change it');
  },

  async '1/Server-side apply/6b a manager that gives up all has no entry any more'(server) {
    const { apply } = await createWriters(server);
    await apply('m1', configMap('a', { a: '1' }));
    await apply('m2', configMap('a', { a: '1' }));
    const { body } = await apply('m2', configMap('a'));
    assert.deepEqual(fieldManagers(body), { 'm1 Apply': ['.data.a'] });
    assert.deepEqual(at(body, 'data'), { a: '1' });
  },

  async '1/Server-side apply/6c with the live value an apply goes through, and the field is shared'(server) {
    const { apply, patch, tryApply } = await createWriters(server);
    await apply('m', configMap('a', { a: '1' }));
    await patch('hand', configMap('a'), { type: 'merge-patch', body: { data: { a: '9' } } });
    assert.equal((await tryApply('m', configMap('a', { a: '1' }))).code, 409);
    const { body } = await apply('m', configMap('a', { a: '9' }));
    assert.deepEqual(fieldManagers(body), { 'm Apply': ['.data.a'], 'hand Update': ['.data.a'] });
  },
};
