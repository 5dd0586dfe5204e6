import { randomInt } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createTypeRegistry, type ResourceDefinition } from '@binnacle/api-types';
import type { ConformanceServer } from '../conformance/drivers/conformance-server.ts';
import { startStandaloneForm } from '../conformance/standalone-form.ts';
import { startConformanceServer } from '../conformance/start-conformance-server.ts';
import { createRandom, type Random } from '../fuzz/random.ts';
import { baseObject } from './base-objects.ts';
import { generateObject } from './generate-object.ts';
import { createRepaired, type Travellers, travel } from './round-trip.ts';
import { fixed, keptOnUpdate, pathsOf, serverOwned } from './server-owned.ts';

const runtimeConfig =
  'admissionregistration.cluster.io/v1alpha1=true,networking.cluster.io/v1alpha1=true,storage.cluster.io/v1beta1=true';
const namespace = 'round-trips';
const kinds = createTypeRegistry({ runtimeConfig }).resources.filter(
  ({ stored, verbs, kind }) => stored && verbs.includes('create') && (process.env['KIND'] ?? kind) === kind,
);

let server: ConformanceServer & AsyncDisposable;
before(async () => {
  server = await startConformanceServer(startStandaloneForm, {
    'runtime-config': runtimeConfig,
    controllers: 'namespace',
    'disable-admission-plugins': 'ServiceAccount,Priority,RuntimeClass',
  });
  await server.expect(201, 'POST', '/api/v1/namespaces', { body: { metadata: { name: namespace } } });
});
after(() => server?.[Symbol.asyncDispose]());

let count = 0;

for (const definition of kinds)
  test(`${definition.group}/${definition.version} ${definition.kind}`, async context => {
    const seed = Number(process.env['SEED'] ?? randomInt(2 ** 31));
    context.diagnostic(`seed ${seed}`);
    const random = createRandom(seed);
    for (let i = 0; i < Number(process.env['COUNT'] ?? 3); i++) await oneOfKind(definition, random);
  });

async function oneOfKind(definition: ResourceDefinition, random: Random): Promise<void> {
  const { group, version, resource, kind, namespaced } = definition;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const prefix = group === '' ? '/api/v1' : `/apis/${apiVersion}`;
  const travellers: Travellers = {
    server,
    definition,
    collection: `${prefix}${namespaced ? `/namespaces/${namespace}` : ''}/${resource}`,
    serverOwned: pathsOf(serverOwned, kind),
    keptOnUpdate: pathsOf(keptOnUpdate, kind),
  };
  const base = { apiVersion, kind, ...baseObject(apiVersion, kind, `edge-${++count}`) };
  const density = [0.1, 0.3, 0.8][random(3)] ?? 0.1;
  const object = generateObject(definition.message, base, { random, density, fixed: pathsOf(fixed, kind) });
  const { sent, created } = await createRepaired(travellers, { ...object, apiVersion, kind }, base);
  await travel(travellers, { sent, created, base });
}
