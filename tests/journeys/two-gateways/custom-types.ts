import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { ConformanceServer } from '../../conformance/drivers/conformance-server.ts';
import { until } from '../api-server.ts';
import { createDefinition, definitionsPath } from '../custom-widget.ts';
import type { TwoGateways } from './start-two-gateways.ts';

/** Custom types that come and go at both gateways. */
export function registerCustomTypesJourney(gateways: () => TwoGateways): void {
  suite('custom types at two gateways', () => {
    let server: ConformanceServer;
    let namespace: string;

    before(async () => {
      ({ server } = gateways());
      namespace = await server.namespace();
    });

    const group = 'two.example.com';
    const text = { type: 'string' };
    const schema = { type: 'object', properties: { spec: { type: 'object', properties: { a: text } } } };
    const rounds = 8;

    async function establishAt(gateway: number, plural: string, kind: string): Promise<void> {
      await server.expect(201, 'POST', definitionsPath, {
        body: createDefinition(plural, kind, schema, { group }),
        gateway,
      });
      await until(`${plural} is established`, async () => {
        const { at } = await server.expect(200, 'GET', `${definitionsPath}/${plural}.${group}`, { gateway });
        const conditions = at('status', 'conditions') as { type: string; status: string }[] | null;
        return (conditions ?? []).some(({ type, status }) => type === 'Established' && status === 'True');
      });
    }

    test('a type that one gateway reports as established is served by both at once, with discovery', async () => {
      for (let round = 0; round < rounds; round++) {
        const plural = `things${round}`;
        const kind = `Thing${round}`;
        const path = `/apis/${group}/v1/namespaces/${namespace}/${plural}`;
        await establishAt(round, plural, kind);
        const discovered = await server.expect(200, 'GET', `/apis/${group}/v1`, { gateway: round });
        assert.ok(discovered.text.includes(`"${plural}"`), discovered.text);
        const object = {
          apiVersion: `${group}/v1`,
          kind,
          metadata: { name: 'x' },
          spec: { a: '1', unknown: 1 },
        };
        const { at } = await server.expect(201, 'POST', path, { body: object, gateway: round + 1 });
        assert.deepEqual(at('spec'), { a: '1' });
        const elsewhere = await server.expect(200, 'GET', `/apis/${group}/v1`, { gateway: round + 1 });
        assert.ok(elsewhere.text.includes(`"${plural}"`), elsewhere.text);
        const read = await server.expect(200, 'GET', `${path}/x`, { gateway: round });
        assert.deepEqual(read.at('spec'), { a: '1' });
      }
    });

    test('a watch at one gateway gets writes at the other', async () => {
      await establishAt(0, 'seen', 'Seen');
      const path = `/apis/${group}/v1/namespaces/${namespace}/seen`;
      const list = await server.expect(200, 'GET', path, { gateway: 1 });
      const from = list.at('metadata', 'resourceVersion');
      using watch = await server.watch(`${path}?watch=1&resourceVersion=${from}`, { gateway: 1 });
      const object = { apiVersion: `${group}/v1`, kind: 'Seen', metadata: { name: 'x' } };
      await server.expect(201, 'POST', path, { body: object, gateway: 0 });
      await watch.heard(1);
      assert.equal(watch.events[0]?.at('metadata', 'name'), 'x');
    });

    test('watches at both gateways get the deletion of each object of a deleted definition before they end', async () => {
      await establishAt(0, 'watched', 'Watched');
      const path = `/apis/${group}/v1/namespaces/${namespace}/watched`;
      const count = 40;
      for (let i = 0; i < count; i++) {
        const object = { apiVersion: `${group}/v1`, kind: 'Watched', metadata: { name: `w${i}` } };
        await server.expect(201, 'POST', path, { body: object, gateway: i });
      }
      const list = await server.expect(200, 'GET', path, { gateway: 0 });
      const from = list.at('metadata', 'resourceVersion');
      const open = (gateway: number) => server.watch(`${path}?watch=1&resourceVersion=${from}`, { gateway });
      using first = await open(0);
      using second = await open(1);
      await server.expect(200, 'DELETE', `${definitionsPath}/watched.${group}`, { gateway: 1 });
      for (const watch of [first, second]) {
        await watch.ended;
        const deleted = watch.events.filter(event => event.type === 'DELETED');
        assert.deepEqual(
          deleted.map(event => event.at('metadata', 'name')).sort(),
          Array.from({ length: count }, (_, i) => `w${i}`).sort(),
        );
      }
    });

    test('a type is removed at both gateways with its definition and all its objects', async () => {
      await establishAt(0, 'gone', 'Gone');
      const path = `/apis/${group}/v1/namespaces/${namespace}/gone`;
      const create = (name: string, gateway: number) =>
        server.request('POST', path, {
          body: { apiVersion: `${group}/v1`, kind: 'Gone', metadata: { name } },
          gateway,
        });
      const writing = (async () => {
        let created = 0;
        for (let i = 0; ; i++) {
          const { code } = await create(`g${i}`, i);
          if (code === 201) created++;
          else return { created, code };
        }
      })();
      await until(
        'an object is there',
        async () => (await server.request('GET', `${path}/g3`, { gateway: 0 })).code === 200,
      );
      await server.expect(200, 'DELETE', `${definitionsPath}/gone.${group}`, { gateway: 1 });
      const { created, code } = await writing;
      assert.ok(created > 0);
      assert.ok(code === 405 || code === 404, String(code));
      for (const gateway of [0, 1])
        await until(
          `the type is gone at gateway ${gateway}`,
          async () => (await server.request('GET', path, { gateway })).code === 404,
        );
      await establishAt(1, 'gone', 'Gone');
      const { at } = await server.expect(200, 'GET', path, { gateway: 0 });
      assert.deepEqual(at('items'), []);
    });
  });
}
