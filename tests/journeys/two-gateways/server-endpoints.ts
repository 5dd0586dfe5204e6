import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { groups, labels, objects } from '@binnacle/api-names';
import type { Distributed } from '@binnacle/compose';
import type { ConformanceServer } from '../../conformance/drivers/conformance-server.ts';
import { until } from '../api-server.ts';
import type { TwoGateways } from './start-two-gateways.ts';

const endpointsPath = `/api/v1/namespaces/default/endpoints/${objects.apiService}`;
const slicesPath = `/apis/${groups.discovery}/v1/namespaces/default/endpointslices?labelSelector=${labels.serviceName}%3D${objects.apiService}`;

/** Gateways that say under which address they are reached come into the Endpoints of the API's service, and leave them. */
export function registerServerEndpointsJourney(gateways: () => TwoGateways): void {
  suite('the endpoints of gateways', () => {
    let server: ConformanceServer;
    let form: Distributed;
    before(() => {
      ({ server, form } = gateways());
    });

    interface Subset {
      readonly addresses: readonly { readonly ip: string }[];
      readonly ports: readonly { readonly port: number }[];
    }
    interface Slice {
      readonly endpoints: readonly { readonly addresses: readonly string[] }[];
      readonly ports: readonly { readonly port: number }[];
    }

    /** `address:port` of each, once Endpoints and slices are of one mind. */
    async function endpoints(): Promise<string | undefined> {
      const { body } = await server.request('GET', endpointsPath);
      // Both are in the shape of their kinds.
      const subsets = ((body['subsets'] ?? []) as unknown as Subset[]).flatMap(({ addresses, ports }) =>
        addresses.map(({ ip }) => `${ip}:${ports[0]?.port}`),
      );
      const { body: list } = await server.request('GET', slicesPath, { gateway: 1 });
      const slices = (list['items'] as unknown as Slice[]).flatMap(({ endpoints, ports }) =>
        endpoints.map(({ addresses }) => `${addresses[0]}:${ports[0]?.port}`),
      );
      const [text, other] = [subsets.toSorted().join(), slices.toSorted().join()];
      return text === other ? text : undefined;
    }

    test('gateways with the same and with different addresses are listed, and removed when they stop or are killed', async () => {
      const added = async (address: string) => {
        const { url, process } = await form.addGateway(`--advertise-address=${address}`);
        return { process, endpoint: `${address}:${new URL(url).port}` };
      };
      const [stays, stops, dies] = await Promise.all([
        added('192.0.2.31'),
        added('192.0.2.31'),
        added('192.0.2.32'),
      ]);
      const those = (...expected: { readonly endpoint: string }[]) => {
        const text = expected
          .map(({ endpoint }) => endpoint)
          .toSorted()
          .join();
        return async () => (await endpoints()) === text;
      };
      await until('all three are endpoints', those(stays, stops, dies), 200);

      await stops.process.stop();
      // A gateway that stops takes itself out before its process ends.
      assert.ok(await those(stays, dies)(), `${await endpoints()}`);

      await dies.process.kill();
      await until('one is left', those(stays), 200);
      await stays.process.stop();
      assert.ok(await those()(), `${await endpoints()}`);
    });
  });
}
