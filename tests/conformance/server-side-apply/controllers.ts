import assert from 'node:assert/strict';
import { at, type ConformanceTests } from '../drivers/conformance-server.ts';
import { fieldManagers } from './field-managers.ts';
import { configMap, createWriters, deployment } from './writers.ts';

const forced = { query: 'force=true' };

/** Guarantees for controllers: spec 1, "Server-side apply", 12. */
export const controllerTests: ConformanceTests = {
  async '1/Server-side apply/12a what a controller leaves out once is gone'(server) {
    const { apply } = await createWriters(server);
    await apply('controller', configMap('a', { a: '1', b: '1' }), forced);
    const { body } = await apply('controller', configMap('a', { b: '2' }), forced);
    assert.deepEqual(at(body, 'data'), { b: '2' });
  },

  async '1/Server-side apply/12b a controller applies without reading, whatever others did meanwhile'(
    server,
  ) {
    const { apply, patch } = await createWriters(server);
    const mine = (state: string) => configMap('a', { state });
    await apply('controller', mine('1'), forced);
    for (let i = 0; i < 5; i++) {
      await patch('hand', configMap('a'), { type: 'merge-patch', body: { data: { hand: `${i}` } } });
      const { body } = await apply('controller', mine(`${i}`), forced);
      assert.deepEqual(at(body, 'data'), { hand: `${i}`, state: `${i}` });
    }
  },

  async '1/Server-side apply/12b controllers that apply at the same time all get through'(server) {
    const { apply, read } = await createWriters(server);
    await apply('first', configMap('a', { first: '1' }));
    const managers = Array.from({ length: 5 }, (_, i) => `c${i}`);
    await Promise.all(managers.map(manager => apply(manager, configMap('a', { [manager]: '1' }), forced)));
    const { body } = await read(configMap('a'));
    for (const manager of managers) {
      assert.equal(at(body, 'data', manager), '1');
      assert.deepEqual(fieldManagers(body)[`${manager} Apply`], [`.data.${manager}`]);
    }
  },

  async '1/Server-side apply/12b a resourceVersion that is passed all the same must be the current one'(
    server,
  ) {
    const { apply, patch, tryApply } = await createWriters(server);
    const created = await apply('m', configMap('a', { a: '1' }));
    const resourceVersion = String(created.at('metadata', 'resourceVersion'));
    await patch('hand', configMap('a'), { type: 'merge-patch', body: { data: { b: '1' } } });
    const stale = await tryApply('m', configMap('a', { a: '2' }, { resourceVersion }), forced);
    assert.deepEqual([stale.code, stale.at('reason')], [409, 'Conflict']);
    assert.match(String(stale.at('message')), /the object has been modified/);
    assert.equal(stale.at('details', 'causes'), undefined, 'no field is the reason');
  },

  async '1/Server-side apply/12c a controller cannot remove what it never applied'(server) {
    const { apply, create } = await createWriters(server);
    await create('hand', configMap('a', { hand: '1' }, { labels: { hand: '1' } }));
    await apply('controller', configMap('a', { mine: '1' }), forced);
    const { body } = await apply('controller', configMap('a', {}), forced);
    assert.deepEqual(at(body, 'data'), { hand: '1' });
    assert.deepEqual(at(body, 'metadata', 'labels'), { hand: '1' });
  },

  async '1/Server-side apply/12d a controller that forces wins against the manager that set the field'(
    server,
  ) {
    const { apply, patch } = await createWriters(server);
    const mine = deployment('d', [{ name: 'c', image: 'i:1' }], { replicas: 3 });
    await apply('controller', mine, forced);
    await patch('hand', mine, { type: 'merge-patch', body: { spec: { replicas: 7 } } });
    const { body } = await apply('controller', mine, forced);
    assert.equal(at(body, 'spec', 'replicas'), 3);
    assert.equal(fieldManagers(body)['hand Update'], undefined);
  },
};
