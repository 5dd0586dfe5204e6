import assert from 'node:assert/strict';
import { at, type ConformanceTests } from '../drivers/conformance-server.ts';
import { fieldManagers } from './field-managers.ts';
import { configMap, createWriters, type Patch } from './writers.ts';

const mergePatch = (managedFields: unknown, more: object = {}): Patch => ({
  type: 'merge-patch',
  body: { metadata: { managedFields }, ...more },
});

const jsonPatch = (managedFields: unknown, ...more: object[]): Patch => ({
  type: 'json-patch',
  body: [{ op: 'replace', path: '/metadata/managedFields', value: managedFields }, ...more],
});

/** Clearing managedFields: spec 1, "Server-side apply", 14. */
export const resetTests: ConformanceTests = {
  async '1/Server-side apply/14a one empty entry in a merge patch or JSON patch strips all'(server) {
    const { apply, create, patch, read } = await createWriters(server);
    for (const [name, change] of Object.entries({ merge: mergePatch([{}]), json: jsonPatch([{}]) })) {
      await create('creator', configMap(name, { a: '1' }));
      await apply('m', configMap(name, { b: '1' }));
      const { body } = await patch('resetter', configMap(name), change);
      assert.equal(at(body, 'metadata', 'managedFields'), undefined, name);
      assert.deepEqual(at(body, 'data'), { a: '1', b: '1' }, 'the fields themselves stay');
      assert.deepEqual((await read(configMap(name))).body, body);
    }
  },

  async '1/Server-side apply/14a after it no manager owns what there was'(server) {
    const { apply, patch } = await createWriters(server);
    await apply('m1', configMap('a', { a: '1' }));
    await patch('resetter', configMap('a'), mergePatch([{}]));
    const { body } = await apply('m1', configMap('a', { b: '1' }));
    assert.deepEqual(at(body, 'data'), { a: '1', b: '1' }, 'a is not removed: m1 no longer owned it');
    assert.deepEqual(fieldManagers(body)['m1 Apply'], ['.data.b']);
  },

  async '1/Server-side apply/14b an empty list in either patch keeps all'(server) {
    const { apply, create, patch } = await createWriters(server);
    for (const [name, change] of Object.entries({ merge: mergePatch([]), json: jsonPatch([]) })) {
      await create('creator', configMap(name, { a: '1' }));
      const before = await apply('m', configMap(name, { b: '1' }));
      const { body } = await patch('resetter', configMap(name), change);
      assert.deepEqual(fieldManagers(body), fieldManagers(before.body), name);
    }
  },

  async '1/Server-side apply/14c with other changes in it the requester owns those alone'(server) {
    const { apply, create, patch } = await createWriters(server);
    const changes = {
      merge: mergePatch([{}], { data: { b: '2', c: '1' } }),
      json: jsonPatch(
        [{}],
        { op: 'replace', path: '/data/b', value: '2' },
        { op: 'add', path: '/data/c', value: '1' },
      ),
    };
    for (const [name, change] of Object.entries(changes)) {
      await create('creator', configMap(name, { a: '1' }));
      await apply('m', configMap(name, { b: '1' }));
      const { body } = await patch('resetter', configMap(name), change);
      assert.deepEqual(at(body, 'data'), { a: '1', b: '2', c: '1' });
      assert.deepEqual(fieldManagers(body), { 'resetter Update': ['.data.b', '.data.c'] }, name);
    }
  },
};
