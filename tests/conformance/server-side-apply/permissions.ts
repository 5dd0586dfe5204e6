import assert from 'node:assert/strict';
import { grant } from '../drivers/collections.ts';
import type { Answer, ConformanceTests } from '../drivers/conformance-server.ts';
import { configMap, createWriters } from './writers.ts';

const resources = ['configmaps'];

function assertForbidden(answer: Answer, verb: string): void {
  assert.deepEqual([answer.code, answer.at('reason')], [403, 'Forbidden'], answer.text);
  assert.equal(answer.at('details', 'kind'), 'configmaps');
  assert.match(String(answer.at('message')), new RegExp(`cannot ${verb} resource`));
}

/** Who may apply: spec 1, "Server-side apply", 13. */
export const permissionTests: ConformanceTests = {
  async '1/Server-side apply/13a the verb patch is enough where there is an object'(server) {
    const { apply, namespace, tryApply } = await createWriters(server);
    await apply('m', configMap('a', { a: '1' }));
    assertForbidden(await tryApply('alice', configMap('a', { b: '1' }), { user: 'alice' }), 'patch');
    await grant(server, { namespace, resources, user: 'alice', verbs: ['patch'] });
    const { at } = await apply('alice', configMap('a', { b: '1' }), { user: 'alice' });
    assert.deepEqual(at('data'), { a: '1', b: '1' });
  },

  async '1/Server-side apply/13a no other verb is'(server) {
    const { apply, namespace, tryApply } = await createWriters(server);
    await apply('m', configMap('a', { a: '1' }));
    await grant(server, {
      namespace,
      resources,
      user: 'bob',
      verbs: ['get', 'list', 'create', 'update', 'delete'],
    });
    assertForbidden(await tryApply('bob', configMap('a', { b: '1' }), { user: 'bob' }), 'patch');
    assertForbidden(await tryApply('bob', configMap('b', { b: '1' }), { user: 'bob' }), 'patch');
  },

  async '1/Server-side apply/13b patch alone creates nothing'(server) {
    const { namespace, pathFromObject, tryApply } = await createWriters(server);
    await grant(server, { namespace, resources, user: 'alice', verbs: ['get', 'patch'] });
    assertForbidden(await tryApply('alice', configMap('a', { a: '1' }), { user: 'alice' }), 'create');
    await server.expect(404, 'GET', pathFromObject(configMap('a')));
  },

  async '1/Server-side apply/13b patch and create together do'(server) {
    const { apply, namespace } = await createWriters(server);
    await grant(server, { namespace, resources, user: 'alice', verbs: ['patch', 'create'] });
    const { code } = await apply('alice', configMap('a', { a: '1' }), { user: 'alice' });
    assert.equal(code, 201);
  },
};
