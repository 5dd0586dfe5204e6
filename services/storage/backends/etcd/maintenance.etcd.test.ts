import assert from 'node:assert/strict';
import { test } from 'node:test';
import { followClientTls } from '@binnacle/backend-access';
import { deadlineIn } from '@binnacle/proto';
import { useLockedEtcd } from '../../test-drivers/locked-etcd.ts';
import { connectEtcd } from './connection.ts';

const locked = useLockedEtcd();

const call = () => ({ signal: new AbortController().signal, deadline: deadlineIn(10_000) });

test('the storage user can read the size of etcd, and cannot defragment it', async () => {
  for (const options of [await locked().withPassword('/a'), await locked().withCertificate('/a')]) {
    using connection = connectEtcd(options);
    const [status] = await connection.maintenance.statuses(call());
    assert.ok(status !== undefined && !('error' in status), JSON.stringify(status));
    assert.ok(status.sizeBytes >= status.inUseBytes && status.inUseBytes > 0);
    assert.deepEqual([status.isLeader, status.alarms], [true, []]);
    const refused = connection.maintenance.defragment(status.endpoint, call());
    await assert.rejects(refused, /permission denied/);
  }
});

test('an administrator can compact, defragment and disarm alarms', async () => {
  const tls = await followClientTls('etcd', locked().findFiles('root'));
  assert.ok(tls !== undefined);
  const { endpoint } = locked().server;
  using connection = connectEtcd({ endpoints: [endpoint], prefix: '/locked', tls });
  const { maintenance } = connection;
  const first = await maintenance.compactAll(call());
  // A repeated compaction has the same result.
  assert.equal(await maintenance.compactAll(call()), first);
  await maintenance.defragment(endpoint, call());
  assert.equal(await maintenance.disarm(call()), 0);
});

test('a member that does not answer is reported with the others', async () => {
  const options = await locked().withPassword('/a');
  const endpoints = [...options.endpoints, 'https://127.0.0.1:1'];
  using connection = connectEtcd({ ...options, endpoints });
  const [there, away] = await connection.maintenance.statuses(call());
  assert.ok(there !== undefined && !('error' in there));
  assert.ok(away !== undefined && 'error' in away);
  assert.equal(away.endpoint, 'https://127.0.0.1:1');
});
