import assert from 'node:assert/strict';
import type { JsonObject } from '@binnacle/api-objects';
import { at, type ConformanceTests } from '../drivers/conformance-server.ts';
import { fieldManagers } from './field-managers.ts';
import { configMap, createWriters, deployment, service } from './writers.ts';

const ports: JsonObject[] = [
  { port: 80, name: 'a' },
  { port: 81, name: 'b' },
];

/** The object after an apply: spec 1, "Server-side apply", 7. */
export const mergingTests: ConformanceTests = {
  async '1/Server-side apply/7a a manager changes the values of its own fields'(server) {
    const { apply } = await createWriters(server);
    const containers = (image: string) => [{ name: 'c', image }];
    await apply('m', deployment('d', containers('i:1'), { replicas: 2 }));
    const { body } = await apply('m', deployment('d', containers('i:2'), { replicas: 3 }));
    assert.equal(at(body, 'spec', 'replicas'), 3);
    assert.equal(at(body, 'spec', 'template', 'spec', 'containers', 0, 'image'), 'i:2');
    assert.equal(at(body, 'spec', 'template', 'spec', 'containers', 1), undefined);
  },

  async '1/Server-side apply/7a what no manager owns takes the applied value without a conflict'(server) {
    const { apply } = await createWriters(server);
    await apply('m1', deployment('d', [{ name: 'c', image: 'i:1' }]));
    const { body } = await apply('m2', deployment('d', [{ name: 'c', image: 'i:1' }], { replicas: 5 }));
    assert.equal(at(body, 'spec', 'replicas'), 5, 'the default had no manager');
    assert.ok(fieldManagers(body)['m2 Apply']?.includes('.spec.replicas'));
  },

  async '1/Server-side apply/7b what a manager applied and now omits is removed'(server) {
    const { apply, read } = await createWriters(server);
    await apply('m', configMap('a', { a: '1', b: '1' }, { labels: { l: '1' }, annotations: { n: '1' } }));
    const { body } = await apply('m', configMap('a', { a: '1' }, { annotations: { n: '1' } }));
    assert.deepEqual(at(body, 'data'), { a: '1' });
    assert.equal(at(body, 'metadata', 'labels'), undefined);
    assert.deepEqual(at(body, 'metadata', 'annotations'), { n: '1' });
    assert.deepEqual(fieldManagers(body), { 'm Apply': ['.data.a', '.metadata.annotations.n'] });
    assert.deepEqual((await read(configMap('a'))).body, body);
  },

  async '1/Server-side apply/7b a configuration of nothing but a name removes all that was applied'(server) {
    const { apply } = await createWriters(server);
    await apply('m', configMap('a', { a: '1' }, { labels: { l: '1' } }));
    const { body } = await apply('m', configMap('a'));
    assert.equal(at(body, 'data'), undefined);
    assert.equal(at(body, 'metadata', 'labels'), undefined);
    assert.deepEqual(fieldManagers(body), {});
  },

  async '1/Server-side apply/7b an item of a keyed list that is omitted goes as a whole'(server) {
    const { apply } = await createWriters(server);
    await apply('m', service('s', { ports }));
    const { body } = await apply('m', service('s', { ports: ports.slice(1) }));
    assert.equal(at(body, 'spec', 'ports', 0, 'port'), 81);
    assert.equal(at(body, 'spec', 'ports', 1), undefined);
  },

  async '1/Server-side apply/7b what is omitted stays when another manager owns it'(server) {
    const { apply, patch } = await createWriters(server);
    await apply('m1', configMap('a', { a: '1', b: '1', c: '1' }));
    await apply('m2', configMap('a', { b: '1' }));
    await patch('hand', configMap('a'), { type: 'merge-patch', body: { data: { c: '2' } } });
    const { body } = await apply('m1', configMap('a', {}));
    assert.deepEqual(at(body, 'data'), { b: '1', c: '2' });
    const managers = fieldManagers(body);
    assert.deepEqual([managers['m2 Apply'], managers['hand Update']], [['.data.b'], ['.data.c']]);
  },

  async '1/Server-side apply/7b an item stays for as long as another manager owns something in it'(server) {
    const { apply } = await createWriters(server);
    await apply('m1', service('s', { ports: [{ ...ports[0], targetPort: 8080 }, ...ports.slice(1)] }));
    await apply('m2', service('s', { ports: [{ port: 80, name: 'a', appProtocol: 'http' }] }));
    const { body } = await apply('m1', service('s', { ports: ports.slice(1) }));
    const kept = at(body, 'spec', 'ports');
    assert.ok(Array.isArray(kept) && kept.length === 2, JSON.stringify(kept));
    const item = kept.find(port => at(port, 'port') === 80);
    assert.deepEqual([at(item, 'name'), at(item, 'appProtocol')], ['a', 'http']);
    assert.equal(at(item, 'targetPort'), 80, 'what only the first one owned is gone');
  },

  async '1/Server-side apply/7c a field that is removed and has a default is reset to it'(server) {
    const { apply } = await createWriters(server);
    const containers = (more: object) => [{ name: 'c', image: 'i:1', ...more }];
    await apply('m', deployment('d', containers({ imagePullPolicy: 'Always' }), { replicas: 3 }));
    const { body } = await apply('m', deployment('d', containers({})));
    assert.equal(at(body, 'spec', 'replicas'), 1);
    assert.equal(at(body, 'spec', 'template', 'spec', 'containers', 0, 'imagePullPolicy'), 'IfNotPresent');
    const owned = fieldManagers(body)['m Apply'] ?? [];
    assert.ok(!owned.some(path => /replicas|imagePullPolicy/.test(path)), 'the default has no manager');
  },

  async '1/Server-side apply/7c the default of a removed field of a service comes back too'(server) {
    const { apply } = await createWriters(server);
    await apply('m', service('s', { ports, sessionAffinity: 'ClientIP' }));
    const { body } = await apply('m', service('s', { ports }));
    assert.equal(at(body, 'spec', 'sessionAffinity'), 'None');
    assert.equal(at(body, 'spec', 'sessionAffinityConfig'), undefined);
  },
};
