import assert from 'node:assert/strict';
import { type Answer, at, type ConformanceTests } from '../drivers/conformance-server.ts';
import { fieldManagers, managerEntry } from './field-managers.ts';
import { configMap, createWriters, service } from './writers.ts';

const finalizer = (name: string) => `example.com/${name}`;

/** Who owns what: spec 1, "Server-side apply", 4. */
export const managerTests: ConformanceTests = {
  async '1/Server-side apply/4a who creates an object owns what it set'(server) {
    const { create } = await createWriters(server);
    const metadata = { labels: { l: '1' }, annotations: { n: '1' }, finalizers: [finalizer('f')] };
    const { body } = await create('creator', configMap('a', { a: '1' }, metadata));
    assert.deepEqual(fieldManagers(body), {
      'creator Update': [
        '.data',
        '.data.a',
        '.metadata.annotations',
        '.metadata.annotations.n',
        '.metadata.finalizers',
        `.metadata.finalizers["${finalizer('f')}"]`,
        '.metadata.labels',
        '.metadata.labels.l',
      ],
    });
    const entry = managerEntry(body, 'creator');
    assert.equal(entry?.['apiVersion'], 'v1');
    assert.equal(entry?.['fieldsType'], 'FieldsV1');
    assert.match(String(entry?.['time']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  },

  async '1/Server-side apply/4a defaults that a create brings belong to who created'(server) {
    const { create } = await createWriters(server);
    const { body } = await create('creator', service('s', { ports: [{ port: 80 }], selector: { a: 'b' } }));
    const owned = fieldManagers(body)['creator Update'] ?? [];
    const port = '.spec.ports[{"port":80,"protocol":"TCP"}]';
    for (const path of [`${port}.protocol`, `${port}.targetPort`, '.spec.sessionAffinity', '.spec.type'])
      assert.ok(owned.includes(path), `${path} in ${owned}`);
    assert.ok(
      !owned.some(path => path.startsWith('.spec.clusterIP')),
      'what the server chose has no manager',
    );
  },

  async '1/Server-side apply/4b who updates a field takes it, and no other'(server) {
    const { create, update } = await createWriters(server);
    await create('creator', configMap('a', { a: '1', b: '1' }));
    const { body } = await update('updater', configMap('a', { a: '2', b: '1', c: '1' }));
    assert.deepEqual(fieldManagers(body), {
      'creator Update': ['.data', '.data.b'],
      'updater Update': ['.data.a', '.data.c'],
    });
  },

  async '1/Server-side apply/4b an update that changes nothing takes nothing'(server) {
    const { create, update } = await createWriters(server);
    const created = await create('creator', configMap('a', { a: '1' }));
    const { body } = await update('updater', configMap('a', { a: '1' }));
    assert.deepEqual(body, created.body);
  },

  async '1/Server-side apply/4b a field that an update removes has no manager, and managers without fields are gone'(
    server,
  ) {
    const { create, patch, update } = await createWriters(server);
    await create('creator', configMap('a', { a: '1' }));
    const body = { data: { b: '1' } };
    await patch('patcher', configMap('a'), { type: 'merge-patch', body });
    const updated = await update('updater', configMap('a', { a: '1' }));
    assert.deepEqual(fieldManagers(updated.body), { 'creator Update': ['.data', '.data.a'] });
  },

  async '1/Server-side apply/4b the manager of a status write has the subresource in its entry'(server) {
    const { create, patch } = await createWriters(server);
    await create('creator', service('s', { type: 'LoadBalancer', ports: [{ port: 80 }] }));
    const status = { loadBalancer: { ingress: [{ ip: '192.0.2.7' }] } };
    const { body } = await patch('prober', service('s', {}), {
      type: 'merge-patch',
      body: { status },
      subresource: 'status',
    });
    assert.deepEqual(fieldManagers(body)['prober Update status'], ['.status.loadBalancer.ingress']);
    assert.ok('creator Update' in fieldManagers(body));
    assert.equal(managerEntry(body, 'creator')?.['subresource'], undefined);
  },

  async '1/Server-side apply/4b a manager of both the object and its status has two entries'(server) {
    const { apply } = await createWriters(server);
    await apply('m', service('s', { type: 'LoadBalancer', ports: [{ port: 80 }] }));
    const status = { loadBalancer: { ingress: [{ ip: '192.0.2.7' }] } };
    const ofStatus = { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, status };
    const { body } = await apply('m', ofStatus, { subresource: 'status' });
    assert.deepEqual(at(body, 'status', 'loadBalancer'), status.loadBalancer);
    const managers = fieldManagers(body);
    assert.deepEqual(managers['m Apply status'], ['.status.loadBalancer.ingress']);
    const port = '.spec.ports[{"port":80,"protocol":"TCP"}]';
    assert.deepEqual(managers['m Apply'], [port, `${port}.port`, '.spec.type']);
  },

  async '1/Server-side apply/4b of eleven managers of updates the oldest become one'(server) {
    const { create, patch } = await createWriters(server);
    let last: Answer = await create('creator', configMap('a', { d: '1' }));
    for (let i = 0; i < 12; i++) {
      const body = { data: { [`d${i}`]: '1' } };
      last = await patch(`u${i}`, configMap('a'), { type: 'merge-patch', body });
    }
    const managers = fieldManagers(last.body);
    assert.equal(Object.keys(managers).length, 10);
    assert.ok('ancient-changes Update' in managers, Object.keys(managers).join());
    assert.deepEqual(managers['u11 Update'], ['.data.d11'], 'the last one keeps its own');
    const paths = ['.data', '.data.d', ...Array.from({ length: 12 }, (_, i) => `.data.d${i}`)];
    assert.deepEqual([...new Set(Object.values(managers).flat())].sort(), paths.sort(), 'nothing is lost');
  },

  async '1/Server-side apply/4b managers that apply do not count among the ten'(server) {
    const { apply, create, patch } = await createWriters(server);
    await create('creator', configMap('a', { d: '1' }));
    for (let i = 0; i < 3; i++) await apply(`m${i}`, configMap('a', { [`m${i}`]: '1' }));
    let last: Answer | undefined;
    for (let i = 0; i < 9; i++) {
      const body = { data: { [`d${i}`]: '1' } };
      last = await patch(`u${i}`, configMap('a'), { type: 'merge-patch', body });
    }
    assert.equal(Object.keys(fieldManagers(last?.body ?? {})).length, 13);
  },

  async '1/Server-side apply/4c every kind of patch makes its sender the owner'(server) {
    const { create, patch } = await createWriters(server);
    await create('creator', configMap('a', { a: '1' }));
    const target = configMap('a');
    const jsonPatch = [{ op: 'add', path: '/data/j', value: '1' }];
    await patch('json', target, { type: 'json-patch', body: jsonPatch });
    await patch('merge', target, { type: 'merge-patch', body: { data: { m: '1' } } });
    const { body } = await patch('strategic', target, {
      type: 'strategic-merge-patch',
      body: { data: { s: '1', a: '2' } },
    });
    assert.deepEqual(fieldManagers(body), {
      'creator Update': ['.data'],
      'json Update': ['.data.j'],
      'merge Update': ['.data.m'],
      'strategic Update': ['.data.a', '.data.s'],
    });
  },

  async '1/Server-side apply/4d an applied configuration owns exactly what it names'(server) {
    const { apply } = await createWriters(server);
    const { body } = await apply('m', configMap('a', { a: '1', b: '1' }, { labels: { l: '1' } }));
    assert.deepEqual(fieldManagers(body), { 'm Apply': ['.data.a', '.data.b', '.metadata.labels.l'] });
  },

  async '1/Server-side apply/4d an empty map and an item of a keyed list are owned themselves'(server) {
    const { apply } = await createWriters(server);
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'no-such-uid' };
    const { body } = await apply('m', configMap('a', {}, { ownerReferences: [reference] }));
    assert.deepEqual(fieldManagers(body), {
      'm Apply': ['.data', '.metadata.ownerReferences[{"uid":"no-such-uid"}]'],
    });
  },

  async '1/Server-side apply/4d applying and updating under one name are two managers'(server) {
    const { apply, patch } = await createWriters(server);
    await apply('m', configMap('a', { a: '1' }));
    const body = { data: { b: '1' } };
    const patched = await patch('m', configMap('a'), { type: 'merge-patch', body });
    assert.deepEqual(fieldManagers(patched.body), { 'm Apply': ['.data.a'], 'm Update': ['.data.b'] });
    assert.deepEqual(Object.keys(fieldManagers(patched.body)), ['m Apply', 'm Update']);
  },

  async '1/Server-side apply/4d an update that leaves managedFields out keeps them'(server) {
    const { apply, update } = await createWriters(server);
    await apply('m', configMap('a', { a: '1' }));
    const { body } = await update('updater', configMap('a', { a: '1', b: '1' }));
    assert.deepEqual(fieldManagers(body), { 'm Apply': ['.data.a'], 'updater Update': ['.data.b'] });
  },

  async '1/Server-side apply/4e managers that apply the same value share it'(server) {
    const { apply } = await createWriters(server);
    await apply('m1', configMap('a', { a: '1', b: '1' }));
    const { body } = await apply('m2', configMap('a', { a: '1' }));
    assert.deepEqual(fieldManagers(body), { 'm1 Apply': ['.data.a', '.data.b'], 'm2 Apply': ['.data.a'] });
  },

  async '1/Server-side apply/4e an apply shares with the manager that set the value by an update'(server) {
    const { apply, create } = await createWriters(server);
    await create('creator', configMap('a', { a: '1' }));
    const { body } = await apply('m', configMap('a', { a: '1' }));
    assert.deepEqual(fieldManagers(body), { 'm Apply': ['.data.a'], 'creator Update': ['.data', '.data.a'] });
  },

  async '1/Server-side apply/4f each sharer conflicts with the other'(server) {
    const { apply, tryApply, read } = await createWriters(server);
    await apply('m1', configMap('a', { a: '1' }));
    await apply('m2', configMap('a', { a: '1' }));
    for (const [manager, other] of [
      ['m1', 'm2'],
      ['m2', 'm1'],
    ] as const) {
      const answer = await tryApply(manager, configMap('a', { a: '2' }));
      assert.equal(answer.code, 409);
      assert.equal(answer.at('details', 'causes', 0, 'field'), '.data.a');
      assert.match(String(answer.at('details', 'causes', 0, 'message')), new RegExp(`"${other}"`));
      assert.equal(answer.at('details', 'causes', 1), undefined);
    }
    assert.deepEqual((await read(configMap('a'))).at('data'), { a: '1' });
  },

  async '1/Server-side apply/4f a third manager conflicts with every sharer'(server) {
    const { apply, tryApply } = await createWriters(server);
    await apply('m1', configMap('a', { a: '1' }));
    await apply('m2', configMap('a', { a: '1' }));
    const answer = await tryApply('m3', configMap('a', { a: '2' }));
    assert.equal(answer.code, 409);
    const causes = [0, 1].map(i => answer.at('details', 'causes', i));
    assert.deepEqual(
      causes.map(cause => at(cause, 'field')),
      ['.data.a', '.data.a'],
    );
    assert.match(String(at(causes[0], 'message')), /"m1"/);
    assert.match(String(at(causes[1], 'message')), /"m2"/);
  },
};
