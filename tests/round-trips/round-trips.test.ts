import { randomInt } from 'node:crypto';
import { after, before, type TestContext, test } from 'node:test';
import { apiVersionOf } from '@binnacle/api-objects';
import { createTypeRegistry, type ResourceDefinition } from '@binnacle/api-types';
import type { ConformanceServer } from '../conformance/drivers/conformance-server.ts';
import { startStandaloneForm } from '../conformance/standalone-form.ts';
import { startConformanceServer } from '../conformance/start-conformance-server.ts';
import { createRandom, oneOf, type Random } from '../fuzz/random.ts';
import { until } from '../journeys/api-server.ts';
import { baseObject } from './base-objects.ts';
import { type ObjectValue, stringifyExact } from './exact-json.ts';
import { generateDefinition, generatedGroup, generateFrom, schemaOfPart } from './generate-definition.ts';
import { generateObject, generateStatus } from './generate-object.ts';
import { createRepaired, type Travellers, travel, writeStatus } from './round-trip.ts';
import { fixed, keptOnUpdate, pathsOf, serverOwned } from './server-owned.ts';

const runtimeConfig = [
  'admissionregistration.cluster.io/v1alpha1=true',
  'networking.cluster.io/v1alpha1=true',
  'storage.cluster.io/v1beta1=true',
].join();
const namespace = 'round-trips';
const fixedSeed = 20_261_126;
const definitionsPath = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';
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

let count = 0;

/** How many objects of each kind, and definitions, a seed makes: all together take about a minute. */
const objects = Number(process.env['ROUND_TRIP_OBJECTS'] ?? 3);

for (const definition of kinds)
  test(`objects of ${apiVersionOf(definition)} ${definition.kind} lose nothing`, context =>
    fromSeeds(context, random => oneOfKind(definition, random)));

test('objects of generated definitions lose nothing', context => fromSeeds(context, oneOfDefinition));

/** Runs with a seed of always and one of the day; `ROUND_TRIP_SEED` runs with that one alone. */
async function fromSeeds(context: TestContext, run: (random: Random) => Promise<void>): Promise<void> {
  const given = process.env['ROUND_TRIP_SEED'];
  for (const seed of given === undefined ? [fixedSeed, randomInt(2 ** 31)] : [Number(given)]) {
    context.diagnostic(`seed ${seed}`);
    const random = createRandom(seed);
    try {
      for (let i = 0; i < objects; i++) await run(random);
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error });
    }
  }
}

async function oneOfKind(definition: ResourceDefinition, random: Random): Promise<void> {
  const { group, version, resource, kind, namespaced, message, subresources } = definition;
  const apiVersion = apiVersionOf({ group, version });
  const prefix = group === '' ? '/api/v1' : `/apis/${apiVersion}`;
  const travellers: Travellers = {
    server,
    kind,
    builtIn: definition,
    collection: `${prefix}${namespaced ? `/namespaces/${namespace}` : ''}/${resource}`,
    serverOwned: pathsOf(serverOwned, kind),
    keptOnUpdate: pathsOf(keptOnUpdate, kind),
  };
  const base = { apiVersion, kind, ...baseObject(apiVersion, kind, `edge-${++count}`) };
  const generation = { random, density: oneOf(random, [0.1, 0.3, 0.8]), fixed: pathsOf(fixed, kind) };
  const object = { ...generateObject(message, base, generation), apiVersion, kind };
  const { sent, created } = await createRepaired(travellers, object, base);
  await travel(travellers, { sent, created, base });
  const status = generateStatus(message, generation);
  if (subresources.has('status') && status !== undefined) await writeStatus(travellers, base, status);
}

async function oneOfDefinition(random: Random): Promise<void> {
  const number = ++count;
  const [plural, kind] = [`edges${number}`, `Edge${number}`];
  const definition = generateDefinition(random, plural, kind);
  await server.expect(201, 'POST', definitionsPath, { body: stringifyExact(definition) });
  await until('the definition is established', async () => {
    const { text } = await server.expect(200, 'GET', `${definitionsPath}/${plural}.${generatedGroup}`);
    return (
      text.includes('"type":"Established","status":"True"') ||
      /"Established"[^}]*"True"|"True"[^}]*"Established"/.test(text)
    );
  });
  const apiVersion = `${generatedGroup}/v1`;
  const travellers: Travellers = {
    server,
    kind,
    builtIn: undefined,
    collection: `/apis/${apiVersion}/namespaces/${namespace}/${plural}`,
    serverOwned: new Set(['status']),
    keptOnUpdate: new Set(),
  };
  for (let i = 0; i < 3; i++) {
    const base: ObjectValue = { apiVersion, kind, metadata: { name: `edge-${i}`, labels: { base: 'yes' } } };
    const sent = { ...base, spec: generateFrom(schemaOfPart(definition, 'spec'), random) };
    const { created } = await createRepaired(travellers, sent, base);
    await travel(travellers, { sent, created, base });
    await writeStatus(travellers, base, generateFrom(schemaOfPart(definition, 'status'), random));
  }
  await server.expect(200, 'DELETE', `${definitionsPath}/${plural}.${generatedGroup}`);
}
