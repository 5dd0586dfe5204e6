import { after, before, suite, test } from 'node:test';
import { formatApiVersion } from '@binnacle/api-objects';
import { createTypeRegistry } from '@binnacle/api-types';
import type { ConformanceServer } from '../conformance/drivers/conformance-server.ts';
import { startStandaloneHere } from '../conformance/standalone-form.ts';
import { startConformanceServer } from '../conformance/start-conformance-server.ts';
import { chooseSeeds, isChosenKind, runSeeds } from './seeds.ts';
import { travelDefinition, travelKind } from './travel-kind.ts';

const folder = 'tests/round-trips';
const namespace = 'round-trips';
const runtimeConfig = [
  'admissionregistration.cluster.io/v1alpha1=true',
  'networking.cluster.io/v1alpha1=true',
  'storage.cluster.io/v1beta1=true',
].join();
const kinds = createTypeRegistry({ runtimeConfig }).resources.filter(
  ({ stored, verbs, kind }) => stored && verbs.includes('create') && isChosenKind(kind),
);

let server: ConformanceServer & AsyncDisposable;
before(async () => {
  server = await startConformanceServer(startStandaloneHere, {
    'runtime-config': runtimeConfig,
    // Fields of gates that are off would be dropped.
    'feature-gates': 'AllAlpha=true,AllBeta=true',
    // No other controller writes objects of the test.
    controllers: 'namespace',
    // They set fields of pods by what else there is.
    'disable-admission-plugins': 'ServiceAccount,Priority,RuntimeClass,TaintNodesByCondition',
  });
  await server.expect(201, 'POST', '/api/v1/namespaces', { body: { metadata: { name: namespace } } });
});
after(() => server?.[Symbol.asyncDispose]());

// All together take half a minute of a processor; objects of the seed of always have most of their fields.
for (const seeds of chooseSeeds(20_261_126, { fixed: 1, own: 1 }))
  suite(`from seeds ${seeds.what}, ${seeds.first} and on`, () => {
    for (const definition of kinds)
      test(`objects of ${formatApiVersion(definition)} ${definition.kind} are unchanged`, context =>
        runSeeds(context, { folder, kind: definition.kind, seeds }, random =>
          travelKind(definition, { server, namespace, random }),
        ));

    if (isChosenKind('Definition'))
      test('objects of generated definitions are unchanged', context =>
        runSeeds(context, { folder, kind: 'Definition', seeds }, random =>
          travelDefinition({ server, namespace, random }),
        ));
  });
