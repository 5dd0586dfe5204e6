import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CallContext, noDeadline, type TransactRequest, type TransactResponse } from '@binnacle/proto';
import { ConnectionLost } from '@binnacle/status-errors';
import { recoverTransaction } from './recover-transaction.ts';
import { storageErrorFrom } from './storage-error-status.ts';

const key = '/core/configmaps/ns/a';
/** A call that creates its signal lazily, like real calls. */
class LazyCall implements CallContext {
  readonly deadline = noDeadline;
  readonly #ending = new AbortController();

  get signal(): AbortSignal {
    return this.#ending.signal;
  }
}

const call = new LazyCall();
const never = new Promise<TransactResponse>(() => {});
const bytes = (text: string) => Buffer.from(text);

interface Version {
  readonly revision: number;
  /** Undefined for a deletion. */
  readonly value: string | undefined;
}

/** A second pod whose store has several versions of one key, oldest first. */
class SecondPod {
  readonly versions: Version[];
  sent = 0;

  constructor(...versions: readonly Version[]) {
    this.versions = [...versions];
  }

  readonly get = async (request: { readonly key: string }, { signal }: CallContext) => {
    signal.throwIfAborted();
    assert.equal(request.key, key);
    return { ...this.#at(Number.POSITIVE_INFINITY), revision: this.#revision };
  };

  readonly list = async ({ atRevision }: { readonly atRevision: number }, { signal }: CallContext) => {
    signal.throwIfAborted();
    const { record } = this.#at(atRevision);
    return { records: record ? [record] : [], revision: atRevision, more: false, remaining: 0 };
  };

  /** Commits or refuses a transaction like a store. */
  transact({ preconditions, puts }: TransactRequest): TransactResponse {
    this.sent++;
    const { record: current } = this.#at(Number.POSITIVE_INFINITY);
    const failedPrecondition = preconditions.findIndex(
      each => each.revision !== (each.key === key ? (current?.revision ?? 0) : 7),
    );
    if (failedPrecondition >= 0)
      return { committed: false, revision: this.#revision, failedPrecondition, ...(current && { current }) };
    const [put] = puts;
    const revision = this.#revision + 1;
    this.versions.push({ revision, value: put && Buffer.from(put.value).toString() });
    return { committed: true, revision, failedPrecondition: 0 };
  }

  get #revision(): number {
    return this.versions.at(-1)?.revision ?? 1;
  }

  #at(revision: number) {
    const version = this.versions.findLast(each => each.revision <= revision);
    if (version?.value === undefined) return {};
    return { record: { key, value: bytes(version.value), revision: version.revision } };
  }
}

const base: Version = { revision: 10, value: 'base' };
const update: TransactRequest = {
  preconditions: [{ key, revision: 10 }],
  puts: [{ key, value: bytes('ours') }],
  deletes: [],
};
const creation: TransactRequest = { ...update, preconditions: [{ key, revision: 0 }] };
const deletion: TransactRequest = { ...update, puts: [], deletes: [key] };

function recover(
  pod: SecondPod,
  request: TransactRequest,
  parts: {
    readonly original?: Promise<TransactResponse>;
    readonly resend?: () => Promise<TransactResponse>;
  } = {},
): Promise<TransactResponse> {
  return recoverTransaction(pod, {
    request,
    call,
    original: never,
    resend: async within => {
      within.signal.throwIfAborted();
      return pod.transact(request);
    },
    isHeard: () => false,
    ...parts,
  });
}

const unknown = { code: 504 };

test('an uncommitted update is committed once by another pod', async () => {
  const pod = new SecondPod(base);
  const outcome = await recover(pod, update);
  assert.deepEqual([outcome.committed, outcome.revision, pod.sent], [true, 11, 1]);
});

test('an uncommitted deletion is committed once by another pod', async () => {
  assert.equal((await recover(new SecondPod(base), deletion)).committed, true);
});

test('an update of an object that others changed is refused with the current value', async () => {
  const pod = new SecondPod(
    base,
    { revision: 12, value: 'theirs' },
    { revision: 15, value: 'theirs, later' },
  );
  const outcome = await recover(pod, update);
  assert.equal(outcome.committed, false);
  assert.equal(outcome.current?.revision, 15);
});

test('an update whose bytes are in the history has an unknown outcome, unless the first pod answers', async () => {
  const versions = [base, { revision: 12, value: 'ours' }, { revision: 15, value: 'theirs, on top' }];
  await assert.rejects(recover(new SecondPod(...versions), update), unknown);
  for (const committed of [true, false]) {
    const answer = { committed, revision: 12, failedPrecondition: 0 };
    assert.equal(
      await recover(new SecondPod(...versions), update, { original: Promise.resolve(answer) }),
      answer,
    );
  }
});

test('an update of an object that was deleted since has an unknown outcome', async () => {
  await assert.rejects(recover(new SecondPod(base, { revision: 12, value: undefined }), update), unknown);
  const repeated = [base, { revision: 12, value: undefined }, { revision: 14, value: 'another object' }];
  await assert.rejects(recover(new SecondPod(...repeated), update), unknown);
});

test('a creation is never sent twice: its bytes are found, or its outcome is unknown', async () => {
  const absent = new SecondPod();
  const found = recover(absent, creation);
  absent.versions.push({ revision: 20, value: 'ours' });
  assert.deepEqual(await found, { committed: true, revision: 20, failedPrecondition: 0 });
  await assert.rejects(recover(new SecondPod(), creation), unknown);
  await assert.rejects(recover(new SecondPod({ revision: 20, value: 'theirs' }), creation), unknown);
  assert.equal(absent.sent, 0);
});

test('a refusal by the first pod that the second one caused is not reported', async () => {
  const pod = new SecondPod(base);
  const sent = Promise.withResolvers<void>();
  const original = sent.promise.then(() => ({ committed: false, revision: 11, failedPrecondition: 0 }));
  const resend = async () => {
    const outcome = pod.transact(update);
    sent.resolve();
    await new Promise(resolve => setTimeout(resolve, 20));
    return outcome;
  };
  assert.equal((await recover(pod, update, { original, resend })).committed, true);
});

test('a refusal by the first pod is not trusted when the second pod is lost too', async () => {
  const original = Promise.resolve({ committed: false, revision: 11, failedPrecondition: 0 });
  const resend = () => Promise.reject(new ConnectionLost('broke'));
  await assert.rejects(recover(new SecondPod(base), update, { original, resend }), unknown);
});

test('an outcome that no pod knows is unknown to storage, whatever the failure of the first pod', async () => {
  const original = Promise.reject(new ConnectionLost('broke'));
  const failure = await recover(new SecondPod(), creation, { original }).catch((thrown: unknown) => thrown);
  assert.equal(storageErrorFrom(failure, { writes: true, aborted: false }).kind, 'unknown-outcome');
});

test('an update that another precondition refuses is refused if the precondition can never hold again', async () => {
  const moved = {
    ...update,
    preconditions: [
      { key, revision: 10 },
      { key: '/core/namespaces//ns', revision: 5 },
    ],
  };
  assert.equal((await recover(new SecondPod(base), moved)).failedPrecondition, 1);
  const reserved = {
    ...update,
    preconditions: [
      { key, revision: 10 },
      { key: '/_claims/x', revision: 0 },
    ],
  };
  await assert.rejects(recover(new SecondPod(base), reserved), unknown);
});
