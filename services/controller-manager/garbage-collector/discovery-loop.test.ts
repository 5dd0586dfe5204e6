import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiClient, ApiRequestOptions } from '@binnacle/client';
import { DiscoveryLoop } from './discovery-loop.ts';

const definitions = { group: 'apiextensions.cluster.io', resource: 'customresourcedefinitions' };
const configMaps = { group: '', resource: 'configmaps' };

/** An API without any types. */
const client: Pick<ApiClient, 'request'> = {
  async request<T>({ path }: ApiRequestOptions): Promise<T> {
    return (path === '/apis' ? { groups: [] } : { resources: [] }) as T; // The documents of these paths.
  },
};

test('a changed definition causes a discovery at once, and several more', async () => {
  const stop = new AbortController();
  let times = 0;
  const loop = new DiscoveryLoop({
    client,
    // Nothing that this test sees comes of the period.
    periodMs: 3_600_000,
    urgentMs: 5,
    onDiscovery: () => {
      times++;
      loop.onChange(times === 1 ? definitions : configMaps);
      if (times === 4) stop.abort();
    },
    onError: error => assert.fail(String(error)),
  });
  await loop.run(stop.signal);
  assert.equal(times, 4);
});

test('a discovery that fails is retried', async () => {
  const stop = new AbortController();
  let failures = 0;
  const failing: Pick<ApiClient, 'request'> = {
    async request<T>(options: ApiRequestOptions): Promise<T> {
      if (failures < 2 && options.path === '/apis') throw new Error('down');
      return client.request<T>(options);
    },
  };
  const loop = new DiscoveryLoop({
    client: failing,
    periodMs: 3_600_000,
    onDiscovery: () => stop.abort(),
    onError: () => failures++,
  });
  await loop.run(stop.signal);
  assert.equal(failures, 2);
});
