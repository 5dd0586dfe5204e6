import { setTimeout as pause } from 'node:timers/promises';
import {
  type CallContext,
  deadlineIn,
  earlierDeadline,
  millisecondsUntil,
  type StorageService,
  type TransactRequest,
  type TransactResponse,
} from '@binnacle/proto';
import { ConnectionLost, timeout } from '@binnacle/status-errors';

/** A transaction that got no answer from a pod that is silent or lost. */
interface UnansweredTransaction {
  readonly request: TransactRequest;
  readonly call: CallContext;
  /** The answer of the first pod, should it come after all. */
  readonly original: Promise<TransactResponse>;
  /** Sends the transaction to another pod. */
  readonly resend: (call: CallContext) => Promise<TransactResponse>;
  /** Whether the first pod may still answer soon. */
  readonly isHeard: () => boolean;
}

/** How long the outcome is looked for before it is called unknown; a pod that gives signs of life may take longer. */
const searchMs = 1_200;
const pauseMs = 150;

/** Versions of a record that are looked through for the one that the transaction stores. */
const maxVersions = 16;

type Search =
  | { readonly kind: 'found'; readonly outcome: TransactResponse }
  /** Only the first pod can tell. */
  | { readonly kind: 'open' }
  /** The second pod may have committed it: of what the first one says only that it is committed counts. */
  | { readonly kind: 'lost' };

function searchResult(outcome: TransactResponse): Search {
  return { kind: 'found', outcome };
}

const open: Search = { kind: 'open' };
const lost: Search = { kind: 'lost' };

/**
 * Finds the outcome of a transaction without an answer; throws `timeout`, which stands for an unknown outcome, where it cannot be said.
 *
 * The first pod may have committed it, may have refused it, or may read it only when it goes on. A transaction that writes a key on
 * the condition that it is at a revision commits once at most, however often it is sent, because revisions only grow. So it is sent
 * to another pod: when that one commits it, the first never will. When the key has moved on, the history of the key tells whether
 * the transaction is in it. A record that is the same byte for byte may be that of another writer, too: then only the first pod
 * knows. A transaction that creates may be committed by the first pod after the object was deleted again; so it is not sent twice, but
 * looked for. An object has a uid of its own, and what is found is the transaction's.
 */
export async function recoverTransaction(
  storageClient: Pick<StorageService, 'get' | 'list'>,
  unanswered: UnansweredTransaction,
): Promise<TransactResponse> {
  const { original } = unanswered;
  const call = within(unanswered.call, searchMs);
  // That it is committed is right whichever pod says it. A refusal by the first pod may come from what the second one did.
  const search = searchFor(storageClient, unanswered, call);
  const committed = original.then(
    answer => (answer.committed ? searchResult(answer) : search),
    () => search,
  );
  const first = await Promise.race([search, committed]);
  if (first.kind === 'found') return first.outcome;
  return await lateAnswer(unanswered, { call, isRefusalRight: first.kind === 'open' });
}

function within({ signal, deadline, traceparent }: CallContext, milliseconds: number): CallContext {
  const soon = earlierDeadline(deadline, deadlineIn(milliseconds));
  return { signal, deadline: soon, ...(traceparent !== undefined && { traceparent }) };
}

async function searchFor(
  storageClient: Pick<StorageService, 'get' | 'list'>,
  { request, resend }: UnansweredTransaction,
  call: CallContext,
): Promise<Search> {
  const { preconditions, puts, deletes } = request;
  if (millisecondsUntil(call.deadline) <= 0) return open;
  const writes = (key: string) => puts.some(put => put.key === key) || deletes.includes(key);
  const fence = preconditions.findIndex(({ key, revision }) => revision > 0 && writes(key));
  if (fence >= 0) return await resendRequest(storageClient, { request, fence, resend }, call);
  const created = preconditions.find(
    ({ key, revision }) => revision === 0 && isObjectKey(key) && writes(key),
  );
  const value = puts.find(({ key }) => key === created?.key)?.value;
  if (created === undefined || value === undefined) return open;
  return await untilThere(storageClient, { key: created.key, value }, call).catch(() => open);
}

async function resendRequest(
  storageClient: Pick<StorageService, 'list'>,
  { request, fence, resend }: Pick<UnansweredTransaction, 'request' | 'resend'> & { readonly fence: number },
  call: CallContext,
): Promise<Search> {
  let outcome: TransactResponse;
  try {
    outcome = await resend(call);
  } catch (error) {
    return error instanceof ConnectionLost && error.isUnprocessed ? open : lost;
  }
  if (outcome.committed) return searchResult(outcome);
  const { preconditions, puts } = request;
  const failed = preconditions[outcome.failedPrecondition];
  const fencing = preconditions[fence];
  if (failed === undefined || fencing === undefined || outcome.failedPrecondition < fence) return open;
  // The key is where it was, so that the transaction was not committed; what was absent may be so again.
  if (failed !== fencing) return failed.revision > 0 ? searchResult(outcome) : open;
  const value = puts.find(({ key }) => key === fencing.key)?.value;
  const history = { ...fencing, value, newest: outcome.current };
  const isElsewhere = await hasPassedBy(storageClient, history, call).catch(() => false);
  return isElsewhere ? searchResult(outcome) : open;
}

interface KeyHistory {
  readonly key: string;
  /** The revision that the transaction starts from. */
  readonly revision: number;
  /** The value that the transaction stores; undefined where it deletes. */
  readonly value: Uint8Array | undefined;
  readonly newest: TransactResponse['current'];
}

/** Whether a key has moved on from a revision without the transaction: none of its versions since then can be its own. */
async function hasPassedBy(
  storageClient: Pick<StorageService, 'list'>,
  { key, revision, value, newest }: KeyHistory,
  call: CallContext,
): Promise<boolean> {
  let version = newest;
  for (let count = 0; count < maxVersions; count++) {
    // A version that is absent may be a deletion by the transaction, or after it.
    if (version === undefined) return false;
    if (version.revision === revision) return true;
    if (value !== undefined && Buffer.compare(version.value, value) === 0) return false;
    const page = { prefix: key, startAfter: '', limit: 1, atRevision: version.revision - 1 };
    const [before] = (await storageClient.list(page, call)).records;
    version = before?.key === key ? before : undefined;
  }
  return false;
}

async function untilThere(
  storageClient: Pick<StorageService, 'get'>,
  { key, value }: { readonly key: string; readonly value: Uint8Array },
  call: CallContext,
): Promise<Search> {
  while (millisecondsUntil(call.deadline) > 0 && !call.signal.aborted) {
    const { record } = await storageClient.get({ key }, call);
    if (record !== undefined) {
      if (Buffer.compare(record.value, value) !== 0) return open;
      return searchResult({ committed: true, revision: record.revision, failedPrecondition: 0 });
    }
    await pause(pauseMs, undefined, { signal: call.signal });
  }
  return open;
}

/** Keys of the server's own use begin with `/_`; their values need not be unlike all others. */
function isObjectKey(key: string): boolean {
  return !key.startsWith('/_');
}

/** The answer of the first pod, while it may come. */
async function lateAnswer(
  { original, isHeard, call: whole }: UnansweredTransaction,
  { call, isRefusalRight }: { readonly call: CallContext; readonly isRefusalRight: boolean },
): Promise<TransactResponse> {
  while (!whole.signal.aborted) {
    const left = Math.max(millisecondsUntil(call.deadline), isHeard() ? pauseMs : 0);
    if (left <= 0) break;
    const answer = await Promise.race([original.catch(broken), pause(Math.min(left, pauseMs))]);
    if (answer === undefined) continue;
    if (answer === 'broken') break;
    if (answer.committed || isRefusalRight) return answer;
    break;
  }
  throw timeout('storage did not report the outcome of the transaction');
}

function broken(): 'broken' {
  return 'broken';
}
