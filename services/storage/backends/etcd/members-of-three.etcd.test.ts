import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  type EtcdServer,
  findFreePorts,
  freezeProcess,
  PeerLinks,
  pollUntil,
  startEtcd,
} from '@binnacle/backends';
import { deadlineIn } from '@binnacle/proto';
import { isStorageError, type Storage, storageKeyFrom } from '@binnacle/storage-contract';
import { connectEtcd, type EtcdConnection } from './connection.ts';
import { createEtcdStorage } from './etcd-storage.ts';
import type { MemberState } from './member-probes.ts';

let members: EtcdServer[] = [];
let links: PeerLinks;
let connection: EtcdConnection;
let storage: Storage;
let states: ReadonlyMap<string, MemberState> = new Map();

before(async () => {
  links = new PeerLinks(() => members);
  const [peers, own] = [await findFreePorts(3), await findFreePorts(3)];
  for (const [index, port] of peers.entries()) await links.add(`etcd-${index + 1}`, port, own[index] ?? 0);
  members = await Promise.all(
    own.map((peerPort, index) =>
      startEtcd({ name: `etcd-${index + 1}`, member: { number: index + 1, peerPort, peers } }),
    ),
  );
  connection = connectEtcd({
    endpoints: members.map(({ endpoint }) => endpoint),
    prefix: '/three',
    // Longer than the calls below: they are not helped by it.
    requestTimeoutMs: 60_000,
    onMembers: found => {
      states = found;
    },
  });
  storage = createEtcdStorage(connection);
});

after(async () => {
  connection?.[Symbol.dispose]();
  links?.divide([]);
  for (const member of members) await member[Symbol.asyncDispose]();
  await links?.[Symbol.asyncDispose]();
});

const key = (name: string) => storageKeyFrom(`/core/configmaps/ns/${name}`);
/** Shorter than what gRPC needs to find a silent peer. */
const call = () => ({ signal: new AbortController().signal, deadline: deadlineIn(10_000) });

/** Writes; false where it is not known what became of it. */
async function write(name: string): Promise<boolean> {
  try {
    const puts = [{ key: key(name), value: Buffer.from(name) }];
    return (await storage.transact({ preconditions: [], puts, deletes: [] }, call())).committed;
  } catch (thrown) {
    assert.ok(
      isStorageError(thrown, 'unknown-outcome') || isStorageError(thrown, 'unavailable'),
      `${thrown}`,
    );
    return false;
  }
}

/** Follows all changes from now on. */
async function follow() {
  const stopping = new AbortController();
  const { revision } = await storage.get(key('none'), call());
  const seen: string[] = [];
  const revisions: number[] = [];
  const running = (async () => {
    const context = { ...call(), signal: stopping.signal };
    for await (const { changes } of storage.changes({ after: revision }, context))
      for (const change of changes) {
        seen.push(change.key.replace(/.*\//, ''));
        revisions.push(change.revision);
      }
  })();
  const stop = (): Promise<void> => {
    stopping.abort();
    return running;
  };
  return { seen, revisions, stop };
}

/** A fault of one member, and its end. */
interface Fault {
  begin(member: EtcdServer): Promise<void> | void;
  end(member: EtcdServer): void;
  readonly found: MemberState;
}
const faults: Readonly<Record<string, Fault>> = {
  'stands still': {
    begin: ({ pid }) => freezeProcess(pid),
    end: ({ pid = 0 }) => process.kill(pid, 'SIGCONT'),
    found: 'away',
  },
  'is cut off from the others': {
    begin: ({ name }) => links.divide([[name]]),
    end: () => links.divide([]),
    found: 'no-leader',
  },
};

for (const [what, { begin, end, found }] of Object.entries(faults)) {
  for (const index of [0, 1, 2]) {
    test(`etcd-${index + 1} ${what}: reads, writes and watches continue at another member`, async () => {
      const member = members[index];
      assert.ok(member);
      const { seen, revisions, stop } = await follow();
      const before = `${what}-${index}-before`.replaceAll(' ', '-');
      assert.ok(await write(before));
      await begin(member);
      try {
        // Whichever member was in use: a read that is under way finds another one.
        assert.ok((await storage.get(key(before), call())).record);
        let count = 0;
        const acknowledged: string[] = [];
        await pollUntil('writes to go on', async () => {
          const name = `${before}-${count++}`;
          if (await write(name)) acknowledged.push(name);
          return acknowledged.length >= 5;
        });
        await pollUntil('the watch to go on', () => acknowledged.every(name => seen.includes(name)));
        await pollUntil('the member to be told of', () => states.get(member.endpoint) === found);
        assert.equal(new Set(seen).size, seen.length);
        assert.deepEqual(
          revisions,
          revisions.toSorted((a, b) => a - b),
        );
      } finally {
        end(member);
      }
      await stop();
      await pollUntil('the member to serve', () => states.get(member.endpoint) === 'serving');
    });
  }
}

test('members that are isolated from each other serve nothing, until they are connected again', async () => {
  links.divide([['etcd-1'], ['etcd-2'], ['etcd-3']]);
  try {
    await pollUntil('no member to have a leader', () =>
      [...states.values()].every(state => state === 'no-leader'),
    );
  } finally {
    links.divide([]);
  }
  await pollUntil('writes to go on', () => write(`joined-${performance.now()}`));
});
