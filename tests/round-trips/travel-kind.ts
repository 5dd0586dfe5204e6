import { formatApiVersion } from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';
import type { ConformanceServer } from '../conformance/drivers/conformance-server.ts';
import { pickOne, type Random } from '../fuzz/random.ts';
import { until } from '../journeys/api-server.ts';
import { baseObject } from './base-objects.ts';
import { isObjectValue, memberAt, type ObjectValue, stringifyExact, type Value } from './exact-json.ts';
import { generateDefinition, generatedGroup, generateFrom, schemaOfPart } from './generate-definition.ts';
import { generateObject, generateStatus } from './generate-object.ts';
import { createRepaired, removeObject, travel, writeStatus } from './round-trip.ts';
import { fixed, keptOnUpdate, listPaths, serverOwned } from './server-owned.ts';
import type { Travellers } from './travellers.ts';

const definitionsPath = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';
/** Over all servers of this process. */
let count = 0;

/** Where objects travel. */
interface Route {
  readonly server: ConformanceServer;
  readonly namespace: string;
  readonly random: Random;
}

/** Takes an object of a kind, and a status, through a server; throws at the first loss. */
export async function travelKind(
  definition: ResourceDefinition,
  { server, namespace, random }: Route,
): Promise<void> {
  const { group, version, resource, kind, namespaced, message, subresources } = definition;
  const apiVersion = formatApiVersion({ group, version });
  const prefix = group === '' ? '/api/v1' : `/apis/${apiVersion}`;
  const travellers: Travellers = {
    server,
    kind,
    builtIn: definition,
    collection: `${prefix}${namespaced ? `/namespaces/${namespace}` : ''}/${resource}`,
    serverOwned: listPaths(serverOwned, kind),
    keptOnUpdate: listPaths(keptOnUpdate, kind),
  };
  const base = { apiVersion, kind, ...baseObject(apiVersion, kind, `edge-${++count}`) };
  const generation = { random, density: pickOne(random, [0.1, 0.3, 0.8]), fixed: listPaths(fixed, kind) };
  const object = { ...generateObject(message, base, generation), apiVersion, kind };
  const { sent, created } = await createRepaired(travellers, object, base);
  await travel(travellers, { sent, created, base });
  const status = generateStatus(message, generation);
  if (subresources.has('status') && status !== undefined) await writeStatus(travellers, base, status);
}

/** Takes objects of a definition that is generated through a server; throws at the first loss. */
export async function travelDefinition({ server, namespace, random }: Route): Promise<void> {
  const number = ++count;
  const [plural, kind] = [`edges${number}`, `Edge${number}`];
  const definition = generateDefinition(random, plural, kind);
  await server.expect(201, 'POST', definitionsPath, { body: stringifyExact(definition) });
  await until('the definition is established', async () => {
    const { text } = await server.expect(200, 'GET', `${definitionsPath}/${plural}.${generatedGroup}`);
    return /"Established"[^}]*"True"|"True"[^}]*"Established"/.test(text);
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
    const least: ObjectValue = { apiVersion, kind, metadata: { name: `edge-${i}`, labels: { base: 'yes' } } };
    const part = (name: 'spec' | 'status') => generateFrom(schemaOfPart(definition, name), random);
    const base =
      i === 0 ? least : await acceptedBase(travellers, { ...least, spec: withoutLists(part('spec')) });
    const { sent, created } = await createRepaired(travellers, { ...least, spec: part('spec') }, least);
    await travel(travellers, { sent, created, base });
    await writeStatus(travellers, least, part('status'));
  }
  await server.expect(200, 'DELETE', `${definitionsPath}/${plural}.${generatedGroup}`);
}

/** A base object with members for patches and applies to merge with, as far as the server accepts them. */
async function acceptedBase(travellers: Travellers, object: ObjectValue): Promise<ObjectValue> {
  const { spec: _, ...least } = object;
  const { sent } = await createRepaired(travellers, object, least);
  await removeObject(travellers, String(memberAt(sent, ['metadata', 'name'])));
  return sent;
}

/** A value without the lists in it: an apply puts what it has behind what is in them. */
function withoutLists(value: Value): Value {
  if (!isObjectValue(value)) return value;
  const members = Object.entries(value).filter(([, member]) => !Array.isArray(member));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutLists(member)]));
}
