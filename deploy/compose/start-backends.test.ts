import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { planPorts } from './ports.ts';
import { planBackends } from './start-backends.ts';

const directories: string[] = [];
after(() => {
  for (const directory of directories) rmSync(directory, { recursive: true });
});

function createDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-start-backends-'));
  directories.push(directory);
  return directory;
}

test('a data folder of one etcd is refused for three members, and the other way round', () => {
  const one = createDirectory();
  mkdirSync(join(one, 'etcd'));
  assert.deepEqual(planBackends(one, {}), { members: 1 });
  assert.throws(() => planBackends(one, { ha: true }), /has the state of one etcd/);

  const three = createDirectory();
  writeFileSync(join(three, 'etcd-peers.json'), '[15000,15004,15008]');
  assert.throws(() => planBackends(three, {}), /has the state of an etcd of three members/);
  assert.deepEqual(planBackends(three, { ha: true }).etcdPeers, [15_000, 15_004, 15_008]);
});

test('members of etcd keep their advertised peer ports, and links listen on them', async () => {
  const etcdPeers = [15_000, 15_004, 15_008];
  const plan = await planPorts(6443, { members: 3, etcdPeers });
  assert.deepEqual(
    plan.etcd.map(({ peer, advertised }) => [peer, advertised]),
    etcdPeers.map(port => [port, port]),
  );
  const linked = await planPorts(6443, { members: 3, etcdPeers, hasLinks: true });
  assert.deepEqual(
    linked.etcd.map(({ advertised }) => advertised),
    etcdPeers,
  );
  const all = [...linked.etcd, ...linked.kafka].flatMap(({ client, peer }) => [client, peer]);
  assert.equal(new Set([...all, ...etcdPeers]).size, 15);
  assert.equal((await planPorts(6443)).etcd.length, 1);
});

test('links are refused for a single member', () => {
  assert.throws(() => planBackends(createDirectory(), { links: true }), /one member of etcd has no links/);
});
