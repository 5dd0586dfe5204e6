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

/** A transaction without an answer, because its pod is silent or the connection was lost. */
interface UnansweredTransaction {
  readonly request: TransactRequest;
  readonly call: CallContext;
  /** Answer of the first pod, which may still arrive. */
  readonly original: Promise<TransactResponse>;
  /** Sends the transaction to another pod. */
  readonly resend: (call: CallContext) => Promise<TransactResponse>;
  /** Whether the first pod has recently given signs of life and may still answer. */
  readonly isHeard: () => boolean;
}

/** Time in ms to search for the outcome before it is reported as unknown; extended while the first pod gives signs of life. */
const searchMs = 1_200;
const pauseMs = 150;

/** Maximum number of versions of a record that are compared with the value that the transaction stores. */
const maxVersions = 16;

type Search =
  | { readonly kind: 'found'; readonly outcome: TransactResponse }
  /** Only the first pod can report the outcome. */
  | { readonly kind: 'open' }
  /** The second pod may have committed the transaction: only a committed answer of the first pod is reliable. */
  | { readonly kind: 'lost' };

function searchResult(outcome: TransactResponse): Search {
  return { kind: 'found', outcome };
}

const open: Search = { kind: 'open' };
const lost: Search = { kind: 'lost' };

/**
 * Finds the outcome of a transaction without an answer; throws `timeout`, which means an unknown outcome, if it cannot be
 * determined.
 *
 * The first pod may have committed or refused the transaction, or may process it only later. A transaction that writes a key with
 * a precondition on its revision commits at most once, however often it is sent, because revisions only grow. Therefore it is
 * sent to a second pod: if that pod commits it, the first pod never will. If the key has changed, the history of the key shows
 * whether the transaction is part of it. A version with identical bytes may also come from another writer: then only the first
 * pod knows the outcome. A transaction that creates an object could be committed by the first pod after the object was deleted
 * again; therefore it is not resent, but its object is looked up. Every object has its own uid, so an object with identical bytes
 * was created by the transaction.
 */
export async function recoverTransaction(
  storageClient: Pick<StorageService, 'get' | 'list'>,
  unanswered: UnansweredTransaction,
): Promise<TransactResponse> {
  const { original } = unanswered;
  const call = within(unanswered.call, searchMs);
  // A committed answer is reliable from either pod. A refusal by the first pod may be caused by the second pod's commit.
  const search = searchFor(storageClient, unanswered, call);
  const committed = original.then(
    answer => (answer.committed ? searchResult(answer) : search),
    () => search,
  );
  const first = await Promise.race([search, committed]);
  if (first.kind === 'found') return first.outcome;
  return await lateAnswer(unanswered, { call, isRefusalRight: first.kind === 'open' });
}

function within({ signal, deadline, trace }: CallContext, milliseconds: number): CallContext {
  const soon = earlierDeadline(deadline, deadlineIn(milliseconds));
  return { signal, deadline: soon, ...(trace !== undefined && { trace }) };
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
  // The revision of the key is unchanged, so the transaction was not committed; a key that must be absent may become absent
  // again.
  if (failed !== fencing) return failed.revision > 0 ? searchResult(outcome) : open;
  const value = puts.find(({ key }) => key === fencing.key)?.value;
  const history = { ...fencing, value, newest: outcome.current };
  const isElsewhere = await hasPassedBy(storageClient, history, call).catch(() => false);
  return isElsewhere ? searchResult(outcome) : open;
}

interface KeyHistory {
  readonly key: string;
  /** The revision of the transaction's precondition. */
  readonly revision: number;
  /** The value that the transaction stores; undefined if it deletes the key. */
  readonly value: Uint8Array | undefined;
  readonly newest: TransactResponse['current'];
}

/** Whether a key has changed since a revision without the transaction: none of its later versions can come from it. */
async function hasPassedBy(
  storageClient: Pick<StorageService, 'list'>,
  { key, revision, value, newest }: KeyHistory,
  call: CallContext,
): Promise<boolean> {
  let version = newest;
  for (let count = 0; count < maxVersions; count++) {
    // An absent version may be a deletion by the transaction, or one after it.
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

/** Keys for internal use of the server begin with `/_`; their values are not necessarily unique. */
function isObjectKey(key: string): boolean {
  return !key.startsWith('/_');
}

/** Waits for the answer of the first pod while it may still arrive. */
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
