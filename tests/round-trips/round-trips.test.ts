import { randomInt } from 'node:crypto';
import { after, before, type TestContext, test } from 'node:test';
import { apiVersionOf } from '@binnacle/api-objects';
import { createTypeRegistry } from '@binnacle/api-types';
import type { ConformanceServer } from '../conformance/drivers/conformance-server.ts';
import { startStandaloneForm } from '../conformance/standalone-form.ts';
import { startConformanceServer } from '../conformance/start-conformance-server.ts';
import { createRandom, type Random } from '../fuzz/random.ts';
import { travelDefinition, travelKind } from './travel-kind.ts';

const runtimeConfig = [
  'admissionregistration.cluster.io/v1alpha1=true',
  'networking.cluster.io/v1alpha1=true',
  'storage.cluster.io/v1beta1=true',
].join();
const namespace = 'round-trips';
const fixedSeed = 20_261_126;
const kinds = createTypeRegistry({ runtimeConfig }).resources.filter(
  ({ stored, verbs, kind }) =>
    stored && verbs.includes('create') && (process.env['ROUND_TRIP_KIND'] ?? kind) === kind,
);

let server: ConformanceServer & AsyncDisposable;
before(async () => {
  server = await startConformanceServer(startStandaloneForm, {
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

/** How many objects of each kind, and definitions, a seed makes: all together take about a minute. */
const objects = Number(process.env['ROUND_TRIP_OBJECTS'] ?? 3);

for (const definition of kinds)
  test(`objects of ${apiVersionOf(definition)} ${definition.kind} lose nothing`, context =>
    fromSeeds(context, random => travelKind(definition, { server, namespace, random })));

test('objects of generated definitions lose nothing', context =>
  fromSeeds(context, random => travelDefinition({ server, namespace, random })));

/** Runs with a seed of always; `ROUND_TRIP_SEED` names another one, or `any`. */
async function fromSeeds(context: TestContext, run: (random: Random) => Promise<void>): Promise<void> {
  const given = process.env['ROUND_TRIP_SEED'];
  for (const seed of [
    given === undefined ? fixedSeed : given === 'any' ? randomInt(2 ** 31) : Number(given),
  ]) {
    context.diagnostic(`seed ${seed}`);
    const random = createRandom(seed);
    try {
      for (let i = 0; i < objects; i++) await run(random);
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error });
    }
  }
}
