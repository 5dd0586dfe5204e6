import { before, suite, test } from 'node:test';
import { createTypeRegistry } from '@binnacle/api-types';
import { createRandom } from '../../fuzz/random.ts';
import { travelDefinition, travelKind } from '../../round-trips/travel-kind.ts';
import type { TwoGateways } from './start-two-gateways.ts';

/** Kinds that neither controllers nor admission write to. */
const kinds = ['ConfigMap', 'ControllerRevision', 'Lease', 'Role', 'Secret'];

/** Objects at the edges of their types that are written at one gateway and read at the other. */
export function registerRoundTripsJourney(gateways: () => TwoGateways): void {
  suite('objects that travel between two gateways', () => {
    let namespace: string;
    before(async () => {
      namespace = await gateways().server.namespace();
    });

    for (const definition of createTypeRegistry().resources)
      if (kinds.includes(definition.kind))
        test(`of the kind ${definition.kind} lose nothing`, async context => {
          const seed = 7;
          context.diagnostic(`seed ${seed}`);
          await travelKind(definition, { server: gateways().server, namespace, random: createRandom(seed) });
        });

    test('of generated definitions lose nothing', async context => {
      const seed = 7;
      context.diagnostic(`seed ${seed}`);
      await travelDefinition({ server: gateways().server, namespace, random: createRandom(seed) });
    });
  });
}
