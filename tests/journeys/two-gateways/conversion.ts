import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { ConformanceServer } from '../../conformance/drivers/conformance-server.ts';
import { until } from '../api-server.ts';
import { createHosts, type HostConverter, startHostConverter } from '../conversion-hosts.ts';
import { definitionsPath } from '../custom-widget.ts';
import type { TwoGateways } from './start-two-gateways.ts';

/** A conversion webhook that both gateways use. */
export function registerConversionJourney(gateways: () => TwoGateways): void {
  suite('conversion at two gateways', () => {
    let server: ConformanceServer;
    let converter: HostConverter;
    let namespace: string;

    before(async () => {
      ({ server } = gateways());
      converter = await startHostConverter();
      namespace = await server.namespace();
    });
    after(() => converter?.[Symbol.asyncDispose]());

    const group = 'far.conv.example.com';

    test('gateways call a conversion webhook through webhook-dispatch, each for its own readers and watches', async () => {
      const definition = createHosts(group, converter);
      await server.expect(201, 'POST', definitionsPath, { body: definition });
      const path = (version: string) => `/apis/${group}/${version}/namespaces/${namespace}/hosts`;
      await until(
        'hosts are served',
        async () => (await server.request('GET', path('v1'), { gateway: 0 })).code === 200,
      );
      const list = await server.expect(200, 'GET', path('v2'), { gateway: 1 });
      const from = list.at('metadata', 'resourceVersion');
      using watch = await server.watch(`${path('v2')}?watch=1&resourceVersion=${from}`, { gateway: 1 });
      const host = (version: string, name: string, spec: object) => ({
        body: { apiVersion: `${group}/${version}`, kind: 'Host', metadata: { name }, spec },
      });
      await server.expect(201, 'POST', path('v1'), {
        ...host('v1', 'a', { hostPort: 'a.com:1' }),
        gateway: 0,
      });
      await server.expect(201, 'POST', path('v2'), {
        ...host('v2', 'b', { host: 'b.com', port: '1' }),
        gateway: 0,
      });
      await watch.heard(2);
      assert.deepEqual(
        watch.events.map(event => [event.at('apiVersion'), event.at('spec', 'host')]),
        [
          [`${group}/v2`, 'a.com'],
          [`${group}/v2`, 'b.com'],
        ],
      );
      const stored = await server.expect(200, 'GET', `${path('v1')}/b`, { gateway: 1 });
      assert.equal(stored.at('spec', 'hostPort'), 'b.com:1');
      converter.answering = () => ({ result: { status: 'Failure', message: 'out of order' } });
      const failed = await server.request('POST', path('v2'), {
        ...host('v2', 'c', { host: 'c.com', port: '1' }),
        gateway: 1,
      });
      assert.equal(failed.code, 500);
      assert.match(String(failed.at('message')), /out of order/);
      // The webhook stays out of order: nothing that is deleted needs it, whatever finalizers hold.
      const finalizers = { metadata: { finalizers: ['x.io/hold'] } };
      await server.expect(200, 'PATCH', `${path('v1')}/a`, {
        body: finalizers,
        headers: { 'Content-Type': 'application/merge-patch+json' },
        gateway: 0,
      });
      await server.expect(200, 'DELETE', `${path('v2')}/b`, { gateway: 1 });
      await server.expect(200, 'DELETE', path('v2'), { gateway: 1 });
      await server.expect(200, 'PATCH', `${path('v1')}/a`, {
        body: { metadata: { finalizers: [] } },
        headers: { 'Content-Type': 'application/merge-patch+json' },
        gateway: 0,
      });
      assert.equal((await server.request('GET', `${path('v1')}/a`, { gateway: 0 })).code, 404);
      await server.expect(201, 'POST', path('v1'), {
        ...host('v1', 'd', { hostPort: 'd.com:1' }),
        gateway: 0,
      });
      await server.expect(200, 'DELETE', `${definitionsPath}/hosts.${group}`);
      await until(
        'hosts are gone',
        async () => (await server.request('GET', `${definitionsPath}/hosts.${group}`)).code === 404,
      );
    });
  });
}
