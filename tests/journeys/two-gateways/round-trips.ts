import { before, suite, test } from 'node:test';
import { createTypeRegistry } from '@binnacle/api-types';
import { chooseSeeds, isChosenKind, runSeeds } from '../../round-trips/seeds.ts';
import { travelDefinition, travelKind } from '../../round-trips/travel-kind.ts';
import type { TwoGateways } from './start-two-gateways.ts';

const folder = 'tests/journeys/two-gateways';
/** Kinds that neither controllers nor admission write to. */
const kinds = ['ConfigMap', 'ControllerRevision', 'Lease', 'Role', 'Secret'].filter(isChosenKind);

/** Objects at the edges of their types that are written at one gateway and read at the other. */
export function registerRoundTripsJourney(gateways: () => TwoGateways): void {
  for (const seeds of chooseSeeds(7, { fixed: 1, own: 3 }))
    suite(
      `objects written and read through two gateways, from seeds ${seeds.what}, ${seeds.first} and on`,
      () => {
        let namespace: string;
        before(async () => {
          namespace = await gateways().server.namespace();
        });

        for (const definition of createTypeRegistry().resources)
          if (kinds.includes(definition.kind))
            test(`of the kind ${definition.kind} are unchanged`, context =>
              runSeeds(context, { folder, kind: definition.kind, seeds }, random =>
                travelKind(definition, { server: gateways().server, namespace, random }),
              ));

        if (isChosenKind('Definition'))
          test('of generated definitions are unchanged', context =>
            runSeeds(context, { folder, kind: 'Definition', seeds }, random =>
              travelDefinition({ server: gateways().server, namespace, random }),
            ));
      },
    );
}
