import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ConformanceServer, WatchStream } from '../../conformance/drivers/conformance-server.ts';
import { until } from '../api-server.ts';
import { createDefinition, definitionsPath } from '../custom-widget.ts';
import type { TwoGateways } from './start-two-gateways.ts';

const apiServices = '/apis/apiregistration.cluster.io/v1/apiservices';

/** The APIServices of definitions, which both gateways keep at once. */
export function registerDefinitionApiServicesJourney(gateways: () => TwoGateways): void {
  suite('the APIServices of definitions at two gateways', () => {
    const count = 200;
    const domain = 'registered.example.com';
    const groups = Array.from({ length: count }, (_, index) => `g${index}.${domain}`);

    const inParallel = (work: (group: string, index: number) => Promise<unknown>) =>
      Promise.all(groups.map(work));

    /** The names in events of a watch, those of the groups of this test. */
    const namesIn = ({ events }: WatchStream, type: string): string[] =>
      events
        .filter(event => event.type === type)
        .map(event => String(event.at('metadata', 'name')))
        .filter(name => name.endsWith(domain))
        .sort();

    async function left(server: ConformanceServer): Promise<number> {
      const { text } = await server.expect(200, 'GET', apiServices);
      return text.split(`"name":"v1.g`).filter(part => part.includes(`${domain}"`)).length;
    }

    test('the APIServices of 200 concurrent definitions are written and deleted once each', async () => {
      const { server } = gateways();
      const list = await server.expect(200, 'GET', apiServices);
      const from = list.at('metadata', 'resourceVersion');
      using watch = await server.watch(`${apiServices}?watch=1&resourceVersion=${from}`);
      await inParallel((group, gateway) =>
        server.expect(201, 'POST', definitionsPath, {
          body: createDefinition('things', 'Thing', { type: 'object' }, { group }),
          gateway,
        }),
      );
      await until('all are there', async () => (await left(server)) === count, 400);
      await inParallel((group, gateway) =>
        server.expect(200, 'DELETE', `${definitionsPath}/things.${group}`, { gateway }),
      );
      await until('none is there', async () => (await left(server)) === 0, 400);
      // A later object: the watch has every event of the others when it has this one's.
      const last = `last.${domain}`;
      await server.expect(201, 'POST', definitionsPath, {
        body: createDefinition('lasts', 'Last', { type: 'object' }, { group: last }),
      });
      await until('the last one has come', async () => namesIn(watch, 'ADDED').includes(`v1.${last}`));
      const expected = groups.map(group => `v1.${group}`).sort();
      assert.deepEqual(
        namesIn(watch, 'ADDED').filter(name => name !== `v1.${last}`),
        expected,
      );
      assert.deepEqual(namesIn(watch, 'MODIFIED'), []);
      assert.deepEqual(namesIn(watch, 'DELETED'), expected);
      await server.expect(200, 'DELETE', `${definitionsPath}/lasts.${last}`);
    });
  });
}
