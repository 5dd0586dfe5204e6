import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { deadlineIn } from '@binnacle/proto';
import type { Change, Storage } from '@binnacle/storage-contract';
import { openEmbeddedStorage } from './embedded-storage.ts';

const call = () => ({ signal: new AbortController().signal, deadline: deadlineIn(30_000) });

interface Acknowledged {
  readonly key: string;
  readonly revision: number;
  readonly value: string;
}

async function writeUntilKilled(directory: string, lines: number): Promise<Acknowledged[]> {
  const writer = join(import.meta.dirname, 'crash-writer.ts');
  const child = spawn(process.execPath, [writer, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  const acknowledged: Acknowledged[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const [key = '', revision = '', ...value] = line.split(' ');
    // The pipe may end in the middle of a line; what was not printed whole does not count.
    if (value.length === 3) acknowledged.push({ key, revision: Number(revision), value: value.join(' ') });
    if (acknowledged.length === lines) child.kill('SIGKILL');
  }
  await closed;
  return acknowledged.slice(0, -1);
}

async function everyChange(storage: Storage): Promise<Change[]> {
  const end = await storage.typeRevision(undefined, call());
  const changes: Change[] = [];
  for await (const batch of storage.changes({ from: 'window-start' }, call())) {
    changes.push(...batch.changes);
    if (batch.revision >= end) break;
  }
  return changes;
}

test('after kill -9 during writes every acknowledged write is there at its revision', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-crash-'));
  const acknowledged: Acknowledged[] = [];
  for (const lines of [50, 700, 1500]) {
    acknowledged.push(...(await writeUntilKilled(directory, lines)));
    await using storage = await openEmbeddedStorage({ directory });
    const changes = await everyChange(storage);
    const found = new Map(changes.map(change => [change.revision, change]));
    for (const { key, revision, value } of acknowledged) {
      assert.equal(found.get(revision)?.key, key);
      assert.equal(
        Buffer.from(found.get(revision)?.value ?? [])
          .toString()
          .trimEnd(),
        value,
      );
    }
    const revisions = changes.map(change => change.revision);
    assert.deepEqual(
      revisions,
      revisions.map((_, index) => (revisions[0] ?? 0) + index),
      'revisions have no gap',
    );
    assert.equal(await storage.typeRevision(undefined, call()), revisions.at(-1));
  }
  assert.ok(acknowledged.length > 2000);
  await rm(directory, { recursive: true });
});
