import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { ConformanceServer } from '../../conformance/drivers/conformance-server.ts';
import { until } from '../api-server.ts';
import type { TwoGateways } from './start-two-gateways.ts';

/** A quota that clients of both gateways fill. */
export function registerQuotaJourney(gateways: () => TwoGateways): void {
  suite('quota at two gateways', () => {
    let server: ConformanceServer;
    let namespace: string;
    before(async () => {
      ({ server } = gateways());
      namespace = await server.namespace();
    });

    const limit = 15;
    const collection = () => `/api/v1/namespaces/${namespace}/secrets`;
    const quotaPath = () => `/api/v1/namespaces/${namespace}/resourcequotas`;
    const create = (name: string) => server.request('POST', collection(), { body: { metadata: { name } } });

    async function used(): Promise<unknown> {
      return (await server.expect(200, 'GET', `${quotaPath()}/q`)).at('status', 'used', 'count/secrets');
    }

    async function present(): Promise<number> {
      const items = (await server.expect(200, 'GET', collection())).at('items');
      assert.ok(Array.isArray(items));
      return items.length;
    }

    test('clients of two gateways use a quota up to its limit and not beyond', async () => {
      const spec = { hard: { 'count/secrets': String(limit) } };
      await server.expect(201, 'POST', quotaPath(), { body: { metadata: { name: 'q' }, spec } });
      await until('the limit holds', async () => (await used()) === '0');
      const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => create(`s${i}`)));
      const codes = answers.map(({ code }) => code);
      assert.deepEqual(
        [...new Set(codes)].sort(),
        [201, 403],
        answers.find(({ code }) => code !== 201 && code !== 403)?.text,
      );
      assert.equal(codes.filter(code => code === 201).length, limit);
      assert.equal(await used(), String(limit));
    });

    test('the usage is exact while clients of both gateways create and delete', async () => {
      const writes = Array.from({ length: 60 }, (_, i) =>
        i % 2 === 0 ? server.request('DELETE', `${collection()}/s${i}`) : create(`t${i}`),
      );
      for (const { code, text } of await Promise.all(writes))
        assert.ok([200, 201, 403, 404].includes(code), text);
      const count = await present();
      assert.ok(count <= limit);
      assert.equal(await used(), String(count));
      await server.expect(200, 'DELETE', collection());
      assert.equal(await used(), '0');
    });
  });
}
