import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { type Answer, at, type ConformanceTests } from '../drivers/conformance-server.ts';
import { conflictFields } from './conflicts.ts';
import { fieldManagers } from './field-managers.ts';
import { configMap, createWriters, deployment, service } from './writers.ts';

const forced = { query: 'force=true' };

function ingress(name: string, spec: JsonObject): JsonObject {
  return { apiVersion: 'networking.cluster.io/v1', kind: 'Ingress', metadata: { name }, spec };
}

function rule(host: string, ...paths: string[]): JsonObject {
  const backend = { service: { name: 'x', port: { number: 80 } } };
  return { host, http: { paths: paths.map(path => ({ path, pathType: 'Prefix', backend })) } };
}

function networkPolicy(name: string, spec: JsonObject): JsonObject {
  return { apiVersion: 'networking.cluster.io/v1', kind: 'NetworkPolicy', metadata: { name }, spec };
}

/** The values of a list's objects under a name, in their order. */
function each(answer: Answer, list: (string | number)[], name: string): (JsonValue | undefined)[] {
  const items = answer.at(...list);
  assert.ok(Array.isArray(items), `no list at ${list}: ${answer.text}`);
  return items.map(item => at(item, name));
}

/** An answer that refuses the request for what is in it. */
function assertRefused({ code, text }: Answer, naming: RegExp): void {
  assert.ok(code === 400 || code === 422, `${code} ${text}`);
  assert.match(text, naming);
}

/** How lists, maps and structs merge by their types: spec 1, "Server-side apply", 8 and 9. */
export const listAndMapTypeTests: ConformanceTests = {
  async '1/Server-side apply/8a an atomic list has one owner and is replaced whole'(server) {
    const { apply } = await createWriters(server);
    const { body } = await apply(
      'm',
      ingress('i', { rules: [rule('a.example', '/a'), rule('b.example', '/b')] }),
    );
    assert.deepEqual(fieldManagers(body), { 'm Apply': ['.spec.rules'] });
    const replaced = await apply('m', ingress('i', { rules: [rule('c.example', '/c')] }));
    assert.deepEqual(each(replaced, ['spec', 'rules'], 'host'), ['c.example']);
  },

  async '1/Server-side apply/8a another manager conflicts over the list, and replaces it by force'(server) {
    const { apply, tryApply } = await createWriters(server);
    await apply('m1', ingress('i', { rules: [rule('a.example', '/a')] }));
    const other = ingress('i', { rules: [rule('b.example', '/b')] });
    assert.deepEqual(conflictFields(await tryApply('m2', other)), ['.spec.rules']);
    const answer = await apply('m2', other, forced);
    assert.deepEqual(each(answer, ['spec', 'rules'], 'host'), ['b.example']);
    assert.deepEqual(fieldManagers(answer.body), { 'm2 Apply': ['.spec.rules'] });
  },

  async '1/Server-side apply/8b managers add to a set and take away only what is theirs'(server) {
    const { apply } = await createWriters(server);
    const withFinalizers = (...finalizers: string[]) => configMap('a', undefined, { finalizers });
    await apply('m1', withFinalizers('example.com/a', 'example.com/shared'));
    const both = await apply('m2', withFinalizers('example.com/b', 'example.com/shared'));
    const readFinalizers = (answer: Answer) => answer.at('metadata', 'finalizers');
    const all = ['example.com/a', 'example.com/b', 'example.com/shared'];
    assert.deepEqual([...(readFinalizers(both) as string[])].sort(), all); // A list of text by its definition.
    const item = (name: string) => `.metadata.finalizers["example.com/${name}"]`;
    assert.deepEqual(fieldManagers(both.body), {
      'm1 Apply': [item('a'), item('shared')],
      'm2 Apply': [item('b'), item('shared')],
    });
    const left = await apply('m1', configMap('a'));
    assert.deepEqual([...(readFinalizers(left) as string[])].sort(), all.slice(1));
    assert.deepEqual(fieldManagers(left.body), { 'm2 Apply': [item('b'), item('shared')] });
    const none = await apply('m2', configMap('a'));
    assert.equal(readFinalizers(none), undefined);
  },

  async '1/Server-side apply/8b a set has no item twice'(server) {
    const { tryApply } = await createWriters(server);
    const finalizers = ['example.com/a', 'example.com/a'];
    assertRefused(
      await tryApply('m', configMap('a', undefined, { finalizers })),
      /finalizers.*example\.com\/a/,
    );
  },

  async '1/Server-side apply/8c items of a keyed list are merged by key, each with its owner'(server) {
    const { apply } = await createWriters(server);
    await apply('m1', service('s', { ports: [{ port: 80, name: 'a' }] }));
    const both = await apply('m2', service('s', { ports: [{ port: 81, name: 'b' }] }));
    assert.deepEqual(each(both, ['spec', 'ports'], 'name'), ['a', 'b']);
    const item = (port: number) => `.spec.ports[{"port":${port},"protocol":"TCP"}]`;
    assert.deepEqual(fieldManagers(both.body), {
      'm1 Apply': [item(80), `${item(80)}.name`, `${item(80)}.port`],
      'm2 Apply': [item(81), `${item(81)}.name`, `${item(81)}.port`],
    });
    const left = await apply('m2', service('s', { selector: { a: 'b' } }));
    assert.deepEqual(each(left, ['spec', 'ports'], 'name'), ['a']);
  },

  async '1/Server-side apply/8c managers share an item and own its fields one by one'(server) {
    const { apply, tryApply } = await createWriters(server);
    await apply('m1', service('s', { ports: [{ port: 80, name: 'a' }] }));
    const answer = await apply('m2', service('s', { ports: [{ port: 80, appProtocol: 'http' }] }));
    const item = '.spec.ports[{"port":80,"protocol":"TCP"}]';
    assert.deepEqual(fieldManagers(answer.body)['m2 Apply'], [item, `${item}.appProtocol`, `${item}.port`]);
    assert.deepEqual(each(answer, ['spec', 'ports'], 'name'), ['a']);
    const other = service('s', { ports: [{ port: 80, name: 'z' }] });
    assert.deepEqual(conflictFields(await tryApply('m2', other)), [
      '.spec.ports[port=80,protocol="TCP"].name',
    ]);
  },

  async '1/Server-side apply/8c a key occurs once'(server) {
    const { tryApply } = await createWriters(server);
    const ports = [
      { port: 80, name: 'a' },
      { port: 80, name: 'b' },
    ];
    assertRefused(await tryApply('m', service('s', { ports })), /spec\.ports.*80/);
  },

  async '1/Server-side apply/8d all key fields together tell items apart'(server) {
    const { apply } = await createWriters(server);
    await apply('m1', service('s', { ports: [{ port: 53, protocol: 'TCP', name: 't' }] }));
    const answer = await apply('m2', service('s', { ports: [{ port: 53, protocol: 'UDP', name: 'u' }] }));
    assert.deepEqual(each(answer, ['spec', 'ports'], 'protocol'), ['TCP', 'UDP']);
    const owned = fieldManagers(answer.body)['m2 Apply'] ?? [];
    assert.ok(owned.includes('.spec.ports[{"port":53,"protocol":"UDP"}].name'), owned.join());
  },

  async '1/Server-side apply/8d a key that is left out has its default'(server) {
    const { apply } = await createWriters(server);
    await apply('m1', service('s', { ports: [{ port: 80, name: 'a' }] }));
    const answer = await apply('m2', service('s', { ports: [{ port: 80, protocol: 'TCP' }] }));
    assert.deepEqual(each(answer, ['spec', 'ports'], 'port'), [80]);
    const item = '.spec.ports[{"port":80,"protocol":"TCP"}]';
    assert.deepEqual(fieldManagers(answer.body), {
      'm1 Apply': [item, `${item}.name`, `${item}.port`],
      'm2 Apply': [item, `${item}.port`, `${item}.protocol`],
    });
  },

  async '1/Server-side apply/8d an item without its key is refused'(server) {
    const { tryApply } = await createWriters(server);
    assertRefused(await tryApply('m', deployment('d', [{ image: 'i:1' }])), /containers/);
  },

  async '1/Server-side apply/8e a granular map is owned key by key'(server) {
    const { apply, tryApply } = await createWriters(server);
    await apply('m1', configMap('a', { a: '1' }, { labels: { a: '1' } }));
    const { body } = await apply('m2', configMap('a', { b: '1' }, { labels: { b: '1' } }));
    assert.deepEqual(fieldManagers(body), {
      'm1 Apply': ['.data.a', '.metadata.labels.a'],
      'm2 Apply': ['.data.b', '.metadata.labels.b'],
    });
    assert.deepEqual(conflictFields(await tryApply('m2', configMap('a', { a: '2' }))), ['.data.a']);
  },

  async '1/Server-side apply/8e an atomic map has one owner and is replaced whole'(server) {
    const { apply, tryApply } = await createWriters(server);
    const ports = [{ port: 80 }];
    await apply('m1', service('s', { ports, selector: { a: 'b' } }));
    const other = service('s', { selector: { c: 'd' } });
    assert.deepEqual(conflictFields(await tryApply('m2', other)), ['.spec.selector']);
    const answer = await apply('m2', other, forced);
    assert.deepEqual(answer.at('spec', 'selector'), { c: 'd' });
    assert.deepEqual(fieldManagers(answer.body)['m2 Apply'], ['.spec.selector']);
    assert.ok(!fieldManagers(answer.body)['m1 Apply']?.includes('.spec.selector'));
  },

  async '1/Server-side apply/8f a granular struct is owned field by field'(server) {
    const { apply } = await createWriters(server);
    const containers = [{ name: 'c', image: 'i:1' }];
    await apply('m1', deployment('d', containers, { replicas: 2 }));
    const apiVersion = 'apps/v1';
    const partial = { apiVersion, kind: 'Deployment', metadata: { name: 'd' }, spec: { paused: true } };
    const { body } = await apply('m2', partial);
    assert.deepEqual(fieldManagers(body)['m2 Apply'], ['.spec.paused']);
    assert.deepEqual([at(body, 'spec', 'replicas'), at(body, 'spec', 'paused')], [2, true]);
  },

  async '1/Server-side apply/8f an atomic struct has one owner and is replaced whole'(server) {
    const { apply, tryApply } = await createWriters(server);
    const { body } = await apply('m1', networkPolicy('n', { podSelector: { matchLabels: { a: '1' } } }));
    assert.deepEqual(fieldManagers(body), { 'm1 Apply': ['.spec.podSelector'] });
    const other = networkPolicy('n', { podSelector: { matchLabels: { b: '1' } } });
    assert.deepEqual(conflictFields(await tryApply('m2', other)), ['.spec.podSelector']);
    const answer = await apply('m2', other, forced);
    assert.deepEqual(answer.at('spec', 'podSelector'), { matchLabels: { b: '1' } });
  },

  async '1/Server-side apply/9a containers merge by the key of strategic merge patches'(server) {
    const { apply } = await createWriters(server);
    await apply('m1', deployment('d', [{ name: 'a', image: 'i:1' }]));
    const both = await apply('m2', deployment('d', [{ name: 'b', image: 'i:2' }]));
    assert.deepEqual(each(both, ['spec', 'template', 'spec', 'containers'], 'name'), ['a', 'b']);
    const owned = fieldManagers(both.body)['m2 Apply'] ?? [];
    assert.ok(owned.includes('.spec.template.spec.containers[{"name":"b"}].image'), owned.join());
    assert.ok(!owned.some(path => path.includes('{"name":"a"}')));
  },

  async '1/Server-side apply/9a so do lists inside of the items of such lists'(server) {
    const { apply } = await createWriters(server);
    const container = (...env: JsonObject[]) => [{ name: 'a', image: 'i:1', env }];
    await apply('m1', deployment('d', container({ name: 'A', value: '1' })));
    const both = await apply('m2', deployment('d', container({ name: 'B', value: '2' })));
    const env = ['spec', 'template', 'spec', 'containers', 0, 'env'];
    assert.deepEqual(each(both, env, 'name'), ['A', 'B']);
    const left = await apply('m1', deployment('d', container()));
    assert.deepEqual(each(left, env, 'name'), ['B']);
  },

  async '1/Server-side apply/9b nothing inside of an atomic list has an owner of its own'(server) {
    const { apply, tryApply } = await createWriters(server);
    await apply('m1', ingress('i', { rules: [rule('a.example', '/a')] }));
    const more = ingress('i', { rules: [rule('a.example', '/a', '/b')] });
    assert.deepEqual(conflictFields(await tryApply('m2', more)), ['.spec.rules']);
    const answer = await apply('m1', more);
    assert.deepEqual(each(answer, ['spec', 'rules', 0, 'http', 'paths'], 'path'), ['/a', '/b']);
    assert.deepEqual(fieldManagers(answer.body), { 'm1 Apply': ['.spec.rules'] });
  },

  async '1/Server-side apply/9b a list with keys is atomic when the list around it is'(server) {
    const { apply, tryApply } = await createWriters(server);
    const endpoints = (...ports: JsonObject[]) => ({
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { name: 'e' },
      subsets: [{ addresses: [{ ip: '192.0.2.1' }], ports }],
    });
    const { body } = await apply('m1', endpoints({ name: 'a', port: 80 }));
    assert.deepEqual(fieldManagers(body), { 'm1 Apply': ['.subsets'] });
    const answer = await tryApply('m2', endpoints({ name: 'b', port: 81 }));
    assert.deepEqual(conflictFields(answer), ['.subsets']);
  },
};
