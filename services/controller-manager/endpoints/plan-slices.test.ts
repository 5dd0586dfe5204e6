import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Endpoint, EndpointPort, EndpointSlice } from '@binnacle/api-types/discovery/v1';
import { endpointsPerSlice, planSlices, type SliceContent } from './plan-slices.ts';
import type { AddressFamily, PodEndpoint } from './pod-endpoint.ts';

const ports: EndpointPort[] = [{ port: 8080, protocol: 'TCP' }];

function endpoint(i: number, changes: Partial<PodEndpoint> = {}): PodEndpoint {
  return {
    address: `10.0.${i >> 8}.${i & 255}`,
    hostname: '',
    nodeName: 'node',
    targetRef: { kind: 'Pod', name: `p${i}`, uid: `u${i}` },
    ready: true,
    serving: true,
    terminating: false,
    ports,
    ...changes,
  };
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => endpoint(from + i));
const wanted = (...endpoints: PodEndpoint[]) => new Map<AddressFamily, PodEndpoint[]>([['IPv4', endpoints]]);

/** Slices as they lie in the store. */
function stored(contents: readonly SliceContent[]): EndpointSlice[] {
  return contents.map(({ addressType, ports, endpoints }, i) => ({
    apiVersion: 'discovery.cluster.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: `s${i}` },
    addressType,
    ports: [...ports],
    endpoints: [...endpoints],
  }));
}

const made = (...endpoints: PodEndpoint[]) => stored(planSlices(wanted(...endpoints), []).create);
const sizes = (lists: readonly { readonly endpoints: readonly Endpoint[] }[]) =>
  lists.map(({ endpoints }) => endpoints.length);

test('endpoints are distributed over full slices, and a second plan changes nothing', () => {
  const endpoints = range(0, 250);
  const { create } = planSlices(wanted(...endpoints), []);
  assert.deepEqual(sizes(create), [endpointsPerSlice, endpointsPerSlice, 50]);
  const repeated = planSlices(wanted(...endpoints), stored(create));
  assert.deepEqual(
    [repeated.create, repeated.update, repeated.remove, repeated.keep.length],
    [[], [], [], 3],
  );
});

test('an additional endpoint is added to the slice with room', () => {
  const plan = planSlices(wanted(...range(0, 151)), made(...range(0, 150)));
  assert.deepEqual([plan.create.length, sizes(plan.update), plan.remove.length], [0, [51], 0]);
});

test('a changed or removed endpoint changes only its slice', () => {
  const slices = made(...range(0, 150));
  const rest = range(1, 150);
  const gone = planSlices(wanted(...rest), slices);
  assert.deepEqual([gone.create.length, sizes(gone.update), gone.keep.length], [0, [99], 1]);
  const changed = planSlices(wanted(endpoint(0, { ready: false }), ...rest), slices);
  assert.deepEqual([sizes(changed.update), changed.keep.length], [[100], 1]);
  assert.deepEqual(changed.update[0]?.endpoints[0]?.conditions, {
    ready: false,
    serving: true,
    terminating: false,
  });
});

test('an empty slice is deleted', () => {
  const plan = planSlices(wanted(...range(100, 150)), made(...range(0, 150)));
  assert.deepEqual(
    [plan.create.length, plan.update.length, plan.remove.length, plan.keep.length],
    [0, 0, 1, 1],
  );
});

test('different ports need different slices', () => {
  const others = range(0, 3).map(one => ({ ...one, ports: [{ port: 9, protocol: 'TCP' as const }] }));
  const plan = planSlices(wanted(...others), made(...range(0, 3)));
  assert.deepEqual([sizes(plan.create), plan.remove.length], [[3], 1]);
});

test('each family has its own slices, and an empty one without endpoints', () => {
  const desired = new Map<AddressFamily, PodEndpoint[]>([
    ['IPv4', range(0, 2)],
    ['IPv6', []],
  ]);
  const { create } = planSlices(desired, []);
  assert.deepEqual(
    create.map(({ addressType, endpoints }) => [addressType, endpoints.length]),
    [
      ['IPv4', 2],
      ['IPv6', 0],
    ],
  );
  const repeated = planSlices(desired, stored(create));
  assert.deepEqual([repeated.create, repeated.update, repeated.remove], [[], [], []]);
});

test('a service without families has no slices', () => {
  assert.equal(planSlices(new Map(), made(...range(0, 2))).remove.length, 1);
});
