import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { asObject, asObjects, asText, asTexts } from '@binnacle/api-types';
import { asNumber } from '@binnacle/api-types/testing';
import { startAdminServer } from './admin-server.ts';

const merge = 'application/merge-patch+json';
/** Of them 30, 31 and 24 can be given out; the server itself has one address. */
const ranges = {
  serviceClusterIpRange: ['10.96.0.0/27', 'fd00:10:96::/123'],
  serviceNodePortRange: '30000-30023',
};
const sizes = { IPv4: 30, IPv6: 31, ports: 24 };
const server = await startAdminServer(ranges);
after(() => server[Symbol.asyncDispose]());

/** The values that services hold, as their specs say. */
interface Holdings {
  readonly addresses: string[];
  readonly ports: number[];
}

function readHoldings(service: JsonObject): Holdings {
  const spec = asObject(service['spec']) ?? {};
  const ports = asObjects(spec['ports']).map(port => asNumber(port['nodePort']));
  return {
    addresses: asTexts(spec['clusterIPs']).filter(address => address !== 'None'),
    ports: [...new Set([...ports, asNumber(spec['healthCheckNodePort'])])].filter(port => port !== 0),
  };
}

async function allHoldings(): Promise<Holdings> {
  const list = await server.expect(200, 'GET', '/api/v1/services');
  const held = asObjects(list['items']).map(readHoldings);
  return { addresses: held.flatMap(one => one.addresses), ports: held.flatMap(one => one.ports) };
}

function assertUnique(values: readonly (string | number)[]): void {
  assert.equal(new Set(values).size, values.length, values.toSorted().join(' '));
}

/** Creates services until there is nothing left for one; tells how many. */
async function countFree(services: string, spec: JsonObject): Promise<number> {
  for (let created = 0; ; created++) {
    const body = { metadata: { generateName: 'fill-' }, spec };
    const { code, body: answer } = await server.send('POST', services, { body });
    if (code === 500) {
      assert.match(asText(answer['message']), /allocated$/);
      return created;
    }
    assert.equal(code, 201, JSON.stringify(answer));
  }
}

/** Numbers from 0 to 1, the same ones each time. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const http: JsonObject = { port: 80 };
const specs: readonly JsonObject[] = [
  { type: 'ClusterIP', ports: [http] },
  { type: 'ClusterIP', ipFamilyPolicy: 'PreferDualStack', ports: [http] },
  { type: 'ClusterIP', ipFamilies: ['IPv6'], ports: [http] },
  { type: 'ClusterIP', clusterIP: '10.96.0.5', ports: [http] },
  { type: 'ClusterIP', clusterIP: 'None', ports: [http] },
  { type: 'NodePort', ports: [http, { port: 81, name: 'b' }].map((port, i) => ({ name: `p${i}`, ...port })) },
  { type: 'NodePort', ports: [{ port: 80, nodePort: 30_003 }] },
  { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: [http] },
  { type: 'ExternalName', externalName: 'example.com', ports: [http] },
  { type: 'ClusterIP', ports: [{ port: 0 }] },
];
const changes: readonly JsonObject[] = [
  { type: 'ClusterIP', externalName: null },
  { type: 'NodePort', externalName: null },
  { type: 'LoadBalancer', externalName: null },
  { type: 'LoadBalancer', externalTrafficPolicy: 'Local' },
  { type: 'ExternalName', externalName: 'example.com' },
  { ipFamilyPolicy: 'PreferDualStack' },
  { ipFamilyPolicy: 'SingleStack' },
  { ports: [{ port: 80, nodePort: 30_004 }] },
];

test('with concurrent clients no value is allocated twice and none is lost', async () => {
  const services = `${await server.namespace()}/services`;
  const codes = new Map<number, number>();
  const ask = async (method: string, path: string, sent?: { body: JsonValue; contentType?: string }) => {
    const { code, body } = await server.send(method, path, sent);
    codes.set(code, (codes.get(code) ?? 0) + 1);
    // A range that is full for a moment is the only failure of the server.
    if (code >= 500) assert.match(asText(body['message']), /are allocated$/);
  };
  const work = async (random: () => number): Promise<void> => {
    const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!; // Never empty.
    for (let step = 0; step < 40; step++) {
      const name = `s${Math.floor(random() * 24)}`;
      const dry = random() < 0.15 ? '?dryRun=All' : '';
      const kind = random();
      if (kind < 0.45)
        await ask('POST', `${services}${dry}`, { body: { metadata: { name }, spec: one(specs) } });
      else if (kind < 0.7)
        await ask('PATCH', `${services}/${name}${dry}`, { body: { spec: one(changes) }, contentType: merge });
      else if (kind < 0.8)
        await ask('PUT', `${services}/${name}${dry}`, { body: { metadata: { name }, spec: one(specs) } });
      else if (kind < 0.98) await ask('DELETE', `${services}/${name}${dry}`);
      else await ask('DELETE', services);
    }
  };
  await Promise.all(Array.from({ length: 16 }, (_, seed) => work(createRandom(seed + 1))));
  for (const code of [200, 201, 404, 409, 422]) assert.ok(codes.has(code), `${code} in ${[...codes]}`);

  const { addresses, ports } = await allHoldings();
  assertUnique(addresses);
  assertUnique(ports);
  const isIPv6 = (address: string) => address.includes(':');
  // Values that no object holds are free, and no others.
  const single = { type: 'ClusterIP', ports: [http] };
  assert.equal(
    await countFree(services, { ...single, ipFamilies: ['IPv6'] }),
    sizes.IPv6 - addresses.filter(isIPv6).length,
  );
  await server.expect(200, 'DELETE', services);
  assert.deepEqual((await allHoldings()).ports, []);
  assert.equal(await countFree(services, single), sizes.IPv4 - 1);
  await server.expect(200, 'DELETE', services);
  assert.equal(await countFree(services, { ...single, type: 'NodePort' }), sizes.ports);
  const full = await allHoldings();
  assertUnique(full.addresses);
  assertUnique(full.ports);
  await server.expect(200, 'DELETE', services);
});

test('concurrent services get addresses as long as there are any', async () => {
  const services = `${await server.namespace()}/services`;
  const body = { metadata: { generateName: 'a-' }, spec: { ports: [http] } };
  const answers = await Promise.all(
    Array.from({ length: 60 }, () => server.send('POST', services, { body })),
  );
  const created = answers.filter(({ code }) => code === 201);
  assert.equal(created.length, sizes.IPv4 - 1);
  assertUnique(created.flatMap(answer => readHoldings(answer.body).addresses));
  assert.ok(answers.every(({ code }) => code === 201 || code === 500));
  await server.expect(200, 'DELETE', services);
});
