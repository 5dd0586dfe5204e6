import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startEtcd } from './etcd.ts';
import { registerServerContractTests } from './server-contract.ts';

registerServerContractTests(startEtcd, async server => {
  const response = await fetch(`http://${server.address}/version`);
  return response.ok && (await response.text()).includes('etcdserver');
});

test('etcd keeps its data when it is killed', async () => {
  await using server = await startEtcd();
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const call = async (path: string, body: object): Promise<unknown> => {
    const response = await fetch(`${server.endpoint}${path}`, { method: 'POST', body: JSON.stringify(body) });
    return response.json();
  };
  await call('/v3/kv/put', { key: base64('ship'), value: base64('bell') });
  await server.restart();
  const found = (await call('/v3/kv/range', { key: base64('ship') })) as { kvs: { value: string }[] };
  assert.equal(found.kvs[0]?.value, base64('bell'));
});
