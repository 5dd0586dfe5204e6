import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApiServer } from './api-server.ts';

const configMaps = '/api/v1/namespaces/t/configmaps';

test('a watch from before the retained events gets 410', async () => {
  for (const [watchCacheMaxEvents, type] of [
    [2, 'ERROR'],
    [100, 'ADDED'],
  ] as const) {
    await using server = await startApiServer({ watchCacheMaxEvents });
    await server.namespace('t');
    const first = await server.call('POST', configMaps, { body: { metadata: { name: 'first' } } });
    const from = first.json.metadata.resourceVersion;
    for (let i = 0; i < 5; i++)
      await server.call('POST', configMaps, { body: { metadata: { name: `x${i}` } } });
    // A read of the latest state: the cache has come to all of these.
    await server.call('GET', configMaps);
    using watch = await server.watch(`${configMaps}?watch=1&timeoutSeconds=1&resourceVersion=${from}`);
    await watch.ended;
    assert.equal(watch.events[0]?.type, type);
  }
});
