import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { type CallContext, deadlineIn, type Span } from '@binnacle/proto';
import {
  isStorageError,
  type StorageKey,
  storageKeyFrom,
  type Transaction,
} from '@binnacle/storage-contract';
import { createKeyLayout } from '../key-layout.ts';
import type { EtcdConnection } from './connection.ts';
import { GroupCommit } from './group-commit.ts';
import { grpcCode } from './grpc-code.ts';

type Request = Parameters<EtcdConnection['txn']>[0];
type Response = Awaited<ReturnType<EtcdConnection['txn']>>;

/** A transaction that etcd was sent and has not answered. */
interface Sent {
  readonly request: Request;
  /** The ConfigMaps that it writes. */
  readonly names: readonly string[];
  answer(response: unknown): void;
  fail(error: Error): void;
}

const layout = createKeyLayout('/p');

/** The ConfigMaps that a request writes. */
function namesIn({ success = [] }: Request): string[] {
  return success.flatMap(({ request_put: put, request_txn: nested }) => {
    if (nested !== undefined) return namesIn(nested);
    const written = put?.key?.toString() ?? '';
    return written.includes('/configmaps/ns/') ? [written.slice(written.lastIndexOf('/') + 1)] : [];
  });
}

/** A connection whose requests the test answers. */
function scriptedEtcd(history: () => readonly unknown[] = () => []) {
  const sent: Sent[] = [];
  const connection = {
    layout,
    seenRevision: 3,
    txn: (request: Request) =>
      new Promise<Response>((resolve, reject) => {
        sent.push({
          request,
          names: namesIn(request),
          answer: response => resolve(response as Response),
          fail: reject,
        });
      }),
    range: async () => ({ kvs: history() }),
  };
  return { sent, group: new GroupCommit(connection as unknown as EtcdConnection) }; // It uses nothing else.
}

const key = (name: string): StorageKey => storageKeyFrom(`/core/configmaps/ns/${name}`);
const put = (name: string): Transaction => ({
  preconditions: [],
  puts: [{ key: key(name), value: Buffer.from('x') }],
  deletes: [],
});
const call = (parts: Partial<CallContext> = {}): CallContext => ({
  ...{ signal: new AbortController().signal, deadline: deadlineIn(20_000) },
  ...parts,
});

/** The answer to a batch of so many members that committed. */
function committed(revision: number, members = 1): unknown {
  const header = { revision: String(revision), cluster_id: '1' };
  if (members === 1) return { header, succeeded: true, responses: [] };
  const nested = { response_txn: { succeeded: true, responses: [] } };
  return { header, succeeded: true, responses: [{}, {}, ...Array.from({ length: members }, () => nested)] };
}

/** The answers to a batch that the guard refused, and to a look at the guard. */
const guardAt = (revision: string) => ({ response_range: { kvs: [{ mod_revision: revision }] } });
const header = { revision: '9', cluster_id: '1' };
const refusedByGuard = (revision: string) => ({ header, succeeded: false, responses: [guardAt(revision)] });
const seenGuard = (revision: string) => ({
  ...{ header, succeeded: true },
  responses: [guardAt(revision), { response_range: { kvs: [] } }],
});

const etcdError = (code: number, message: string) => Object.assign(new Error(message), { code });
const tooLarge = () => etcdError(grpcCode.invalidArgument, 'etcdserver: request is too large');
const lost = () => etcdError(grpcCode.unavailable, 'connection dropped');

/** Waits until etcd was sent so many transactions. */
async function until(sent: readonly Sent[], count: number): Promise<void> {
  for (let turns = 0; sent.length < count && turns < 10_000; turns++) await turn();
  assert.equal(sent.length, count);
}

const failsAs = (kind: string) => (error: unknown) => isStorageError(error) && error.kind === kind;

suite('transactions', () => {
  test('of one turn are sent as one, and those that come meanwhile with the next, never two at once', async () => {
    const { sent, group } = scriptedEtcd();
    const first = ['a', 'b'].map(name => group.transact(put(name), call()));
    await until(sent, 1);
    const later = ['c', 'd'].map(name => group.transact(put(name), call()));
    await turn();
    assert.deepEqual(
      sent.map(({ names }) => names),
      [['a', 'b']],
    );
    sent[0]?.answer(committed(7, 2));
    assert.deepEqual(
      (await Promise.all(first)).map(({ committed: is }) => is),
      [true, true],
    );
    await until(sent, 2);
    assert.deepEqual(sent[1]?.names, ['c', 'd']);
    sent[1]?.answer(committed(8, 2));
    await Promise.all(later);
    const alone = group.transact(put('e'), call());
    await until(sent, 3);
    sent[2]?.answer(committed(9));
    assert.ok((await alone).committed);
  });

  test('that do not fit together are sent one after the other', async () => {
    const { sent, group } = scriptedEtcd();
    const both = [put('a'), put('a'), put('b')].map(each => group.transact(each, call()));
    await until(sent, 1);
    assert.deepEqual(sent[0]?.names, ['a', 'b']);
    sent[0]?.answer(committed(7, 2));
    await until(sent, 2);
    assert.deepEqual(sent[1]?.names, ['a']);
    sent[1]?.answer(committed(8));
    const revisions = (await Promise.all(both)).map(({ revision }) => revision);
    assert.ok(revisions[1]! > revisions[0]! && revisions[1]! > revisions[2]!, String(revisions));
  });

  test('are refused when ten thousand wait already', async () => {
    const { sent, group } = scriptedEtcd();
    const over = new AbortController();
    const caller = call({ signal: over.signal });
    const first = group.transact(put('first'), caller).catch(() => {});
    await until(sent, 1);
    const waiting = Array.from({ length: 10_000 }, (_, i) =>
      group.transact(put(`k${i}`), caller).catch(() => {}),
    );
    await assert.rejects(group.transact(put('more'), call()), failsAs('unavailable'));
    over.abort();
    await Promise.all([first, ...waiting]);
    sent[0]?.answer(committed(7));
  });
});

suite('a caller that ends its call', () => {
  test('before its transaction is sent has it dropped', async () => {
    const { sent, group } = scriptedEtcd();
    const first = group.transact(put('a'), call());
    await until(sent, 1);
    const over = new AbortController();
    const dropped = group.transact(put('b'), call({ signal: over.signal }));
    const kept = group.transact(put('c'), call());
    over.abort();
    await assert.rejects(dropped, failsAs('cancelled'));
    sent[0]?.answer(committed(7));
    await until(sent, 2);
    assert.deepEqual(sent[1]?.names, ['c']);
    sent[1]?.answer(committed(8));
    await Promise.all([first, kept]);
  });

  test('after it was sent gets an unknown outcome, the others of the batch their own', async () => {
    const { sent, group } = scriptedEtcd();
    const over = new AbortController();
    const ended = group.transact(put('a'), call({ signal: over.signal }));
    const other = group.transact(put('b'), call());
    await until(sent, 1);
    over.abort();
    await assert.rejects(ended, failsAs('unknown-outcome'));
    sent[0]?.answer(committed(7, 2));
    assert.ok((await other).committed);
  });

  test('before it begins sends nothing', async () => {
    const { sent, group } = scriptedEtcd();
    await assert.rejects(
      group.transact(put('a'), call({ signal: AbortSignal.abort() })),
      failsAs('cancelled'),
    );
    await assert.rejects(group.transact(put('a'), call({ deadline: deadlineIn(-1) })), failsAs('deadline'));
    await turn();
    assert.deepEqual(sent, []);
  });
});

suite('a batch that etcd refuses', () => {
  test('for its size is sent again member by member, and only the one that is too large fails', async () => {
    const { sent, group } = scriptedEtcd();
    const all = ['a', 'b', 'c'].map(name => group.transact(put(name), call()));
    const large = assert.rejects(all[1]!, failsAs('too-large'));
    await until(sent, 1);
    sent[0]?.fail(tooLarge());
    for (const [index, name] of ['a', 'b', 'c'].entries()) {
      await until(sent, index + 2);
      assert.deepEqual(sent[index + 1]?.names, [name]);
      if (name === 'b') sent[index + 1]?.fail(tooLarge());
      else sent[index + 1]?.answer(committed(7 + index));
    }
    await large;
    assert.deepEqual([(await all[0]!).committed, (await all[2]!).committed], [true, true]);
    assert.equal(sent.length, 4);
  });

  test('for another reason fails for all, and is not sent again', async () => {
    const { sent, group } = scriptedEtcd();
    const both = ['a', 'b'].map(name => group.transact(put(name), call()));
    await until(sent, 1);
    sent[0]?.fail(etcdError(grpcCode.permissionDenied, 'etcdserver: permission denied'));
    for (const each of both) await assert.rejects(each, failsAs('unavailable'));
    await turn();
    assert.equal(sent.length, 1);
  });

  test('because its guard was moved is sent again with the guard as it is, without members that are given up', async () => {
    const { sent, group } = scriptedEtcd();
    const over = new AbortController();
    const ended = group.transact(put('a'), call({ signal: over.signal }));
    const other = group.transact(put('b'), call());
    await until(sent, 1);
    over.abort();
    await assert.rejects(ended, failsAs('unknown-outcome'));
    sent[0]?.answer(refusedByGuard('5'));
    await until(sent, 2);
    assert.deepEqual(sent[1]?.names, []);
    sent[1]?.answer(seenGuard('5'));
    await until(sent, 3);
    assert.deepEqual(sent[2]?.names, ['b']);
    assert.deepEqual(
      sent[2]?.request.compare?.map(({ mod_revision: at }) => at),
      ['5'],
    );
    sent[2]?.answer(committed(9));
    assert.ok((await other).committed);
  });

  test('because its guard was moved fails where the guard cannot be read', async () => {
    const { sent, group } = scriptedEtcd();
    const failing = group.transact(put('a'), call());
    await until(sent, 1);
    sent[0]?.answer(refusedByGuard('5'));
    await until(sent, 2);
    sent[1]?.fail(lost());
    await assert.rejects(failing, failsAs('unavailable'));
  });
});

suite('a batch whose reply is lost', () => {
  test('is sent again after the guard was moved, if it is not in the history', async () => {
    const { sent, group } = scriptedEtcd(() => [{ mod_revision: '3', value: Buffer.from('other') }]);
    const waiting = group.transact(put('a'), call());
    await until(sent, 1);
    sent[0]?.fail(lost());
    await until(sent, 2);
    assert.deepEqual(sent[1]?.names, []);
    sent[1]?.answer(seenGuard('9'));
    await until(sent, 3);
    assert.deepEqual(sent[2]?.names, ['a']);
    sent[2]?.answer(committed(10));
    assert.ok((await waiting).committed);
  });

  test('has committed if it is in the history; the next batch does not wait for the search', async () => {
    const ids: Buffer[] = [];
    const { sent, group } = scriptedEtcd(() => [{ mod_revision: '7', value: ids[0] }]);
    const waiting = group.transact(put('a'), call());
    await until(sent, 1);
    const [, revisionKey] = sent[0]?.request.success ?? [];
    ids.push(revisionKey?.request_put?.value as Buffer);
    const next = group.transact(put('b'), call());
    sent[0]?.fail(lost());
    await until(sent, 3);
    const [guard, second] = sent[1]?.names.length === 0 ? [sent[1], sent[2]] : [sent[2], sent[1]];
    second?.answer(committed(8));
    assert.ok((await next).committed);
    guard?.answer(seenGuard('9'));
    assert.ok((await waiting).committed);
  });

  test('for want of space fails as such, unless it has committed', async () => {
    const { sent, group } = scriptedEtcd(() => []);
    const failing = group.transact(put('a'), call());
    await until(sent, 1);
    sent[0]?.fail(etcdError(grpcCode.resourceExhausted, 'etcdserver: mvcc: database space exceeded'));
    await assert.rejects(failing, failsAs('full'));
    assert.equal(sent.length, 1);
  });
});

suite('the spans of a traced transaction', () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const traced = (notes: string[]): CallContext => {
    const start = (name: string): Span =>
      ({ end: () => notes.push(`end ${name}`), fail: () => notes.push(`fail ${name}`) }) as unknown as Span; // It uses nothing else.
    return call({ trace: { start, traceparent, tracestate: '', isSampled: true } });
  };
  const wait = 'wait for the batch';
  const commit = 'etcdserverpb.KV/Txn';

  test('are its wait and its commit, which it names to etcd', async () => {
    const { sent, group } = scriptedEtcd();
    const notes: string[] = [];
    const both = [group.transact(put('a'), traced(notes)), group.transact(put('b'), call())];
    await until(sent, 1);
    assert.deepEqual(notes, [`end ${wait}`]);
    const mark = sent[0]?.request.success?.at(-1)?.request_put;
    assert.deepEqual(mark?.key, layout.traceMark);
    assert.ok(mark?.value?.toString().includes(traceparent));
    sent[0]?.answer(committed(7, 2));
    await Promise.all(both);
    assert.deepEqual(notes, [`end ${wait}`, `end ${commit}`]);
    const untraced = group.transact(put('c'), call());
    await until(sent, 2);
    assert.equal(sent[1]?.request.success?.length, 2);
    sent[1]?.answer(committed(8));
    await untraced;
  });

  test('fail with the batch', async () => {
    const { sent, group } = scriptedEtcd();
    const notes: string[] = [];
    const failing = group.transact(put('a'), traced(notes));
    await until(sent, 1);
    sent[0]?.fail(tooLarge());
    await assert.rejects(failing, failsAs('too-large'));
    assert.deepEqual(notes, [`end ${wait}`, `fail ${commit}`, `end ${commit}`]);
  });
});
