import { type Change, type Changes, sharedResources } from '../records/changes.ts';
import type { History } from '../records/history.ts';
import {
  type HistoryRecord,
  placeKey,
  type ReadRecord,
  versionNumber,
  type WriteRecord,
} from '../records/records.ts';
import type { Timeline } from '../records/timeline.ts';
import type { Violation } from '../records/violation.ts';
import { findOrder, type SearchBudget } from './find-order.ts';

/** The result of the check of each object as a register. */
interface RegisterResult {
  readonly violations: readonly Violation[];
  /** Keys of objects for which the search was given up. */
  readonly undecided: readonly string[];
  /** Number of objects that were checked by the order of versions alone, and of those for which an order was searched. */
  readonly checkedByVersion: number;
  readonly searched: number;
}

/**
 * Each object is a register with compare-and-swap: its operations look as if they had been done one after the other, each
 * between its start and its end. Where all outcomes are known, versions are that order, and it is checked. Where some are not,
 * an order is searched that explains all answers.
 */
export function checkRegisters(
  history: History,
  changes: Changes,
  timeline: Timeline,
  budget: SearchBudget,
): RegisterResult {
  const violations: Violation[] = [];
  const undecided: string[] = [];
  let [checkedByVersion, searched] = [0, 0];
  const readsOf = Map.groupBy(history.reads, placeKey);
  for (const [key, writes] of history.writesOf) {
    if (writes.some(({ resource }) => sharedResources.has(resource))) continue;
    const own = changes.of.get(key) ?? [];
    const open = (changes.open.get(key) ?? []).filter(write => mayHaveHappened(write, own));
    const found = [...checkPreconditions(own, open), ...checkUnconditional(writes)];
    if (open.length === 0) found.push(...checkRefusals(writes, own, timeline));
    violations.push(...found);
    if (found.length > 0 || open.length === 0) {
      checkedByVersion++;
      continue;
    }
    searched++;
    const reads = (readsOf.get(key) ?? []).filter(({ mayBeOld }) => mayBeOld !== true);
    const outcome = findOrder({ own, open, reads, refused: writes.filter(isInformative), timeline }, budget);
    if (outcome.kind === 'undecided') undecided.push(key);
    else if (outcome.kind === 'none')
      violations.push(
        violation(`no order of its operations explains the answers for ${key}`, ...outcome.around),
      );
  }
  return { violations, undecided, checkedByVersion, searched };
}

/** Whether a write of unknown outcome can be one of those that happened, as far as the versions around tell. */
function mayHaveHappened({ verb, precondition }: WriteRecord, own: readonly Change[]): boolean {
  if (precondition === undefined || verb === 'create') return true;
  const index = own.findIndex(({ version }) => version === versionNumber(precondition));
  // The change after the one that it demands demanded the same one, so that nothing was between them.
  return index < 0 || own[index + 1]?.write?.precondition !== precondition;
}

/** Whether a refusal tells of the state of the object. */
function isInformative({ outcome, verb, reason, precondition }: WriteRecord): boolean {
  if (outcome !== 'refused') return false;
  if (verb === 'create') return reason === 'AlreadyExists';
  return reason === 'NotFound' || (reason === 'Conflict' && precondition !== undefined);
}

/** Each write found what it demands: a creation nothing, an update the object, and the version that it names. */
function* checkPreconditions(own: readonly Change[], open: readonly WriteRecord[]): Iterable<Violation> {
  const mayBeDeletedBetween = open.some(({ verb }) => verb === 'delete');
  const mayBeWrittenBetween = open.length > 0;
  for (const [index, { key, verb, version, write, record }] of own.entries()) {
    const before = own[index - 1];
    const report = (text: string): Violation =>
      violation(text, before?.write ?? before?.record, write ?? record);
    const isThere = before !== undefined && before.verb !== 'delete';
    if (verb === 'create' && isThere && !mayBeDeletedBetween)
      yield report(
        `${key} was created at version ${version} although it existed at version ${before.version}`,
      );
    if (write === undefined || verb === 'create') continue;
    if (verb !== 'write' && !isThere && !mayBeWrittenBetween)
      yield report(`the ${verb} at version ${version} was of ${key}, which did not exist`);
    if (write.precondition === undefined || before === undefined || mayBeWrittenBetween) continue;
    if (isThere && before.version !== versionNumber(write.precondition))
      yield report(
        `the ${verb} of ${key} at version ${version} demanded version ${write.precondition} and found version ${before.version}`,
      );
  }
}

/** A write that names no version is never refused because another one was faster. */
function* checkUnconditional(writes: readonly WriteRecord[]): Iterable<Violation> {
  for (const write of writes) {
    const { verb, outcome, reason, precondition } = write;
    if (verb === 'update' && outcome === 'refused' && reason === 'Conflict' && precondition === undefined)
      yield violation('a write without a precondition was refused as a conflict', write);
  }
}

/** Refusals are true: at some moment between start and end the object was as they say. */
function* checkRefusals(
  writes: readonly WriteRecord[],
  own: readonly Change[],
  timeline: Timeline,
): Iterable<Violation> {
  for (const write of writes) {
    if (!isInformative(write)) continue;
    const { verb, reason, precondition } = write;
    const isTrueAfter = (change: Change | undefined): boolean => {
      const isThere = change !== undefined && change.verb !== 'delete';
      if (verb === 'create') return isThere;
      if (reason === 'NotFound') return !isThere;
      return !isThere || change.version !== versionNumber(precondition ?? '');
    };
    if (statesDuring(write, own, timeline).some(isTrueAfter)) continue;
    const state = own.findLast(({ version }) => timeline.reachedBy(version) < write.start);
    yield violation(`the ${verb} was refused with ${reason}, which was not true`, state?.record, write);
  }
}

/** The changes after which the object may have been while a request was under way; undefined: before the first. */
function statesDuring(
  { start, end }: WriteRecord | ReadRecord,
  own: readonly Change[],
  timeline: Timeline,
): (Change | undefined)[] {
  return [undefined, ...own].filter((change, index) => {
    const after = own[index];
    const begunBy = change?.write?.start ?? 0;
    return begunBy <= end && (after === undefined || timeline.reachedBy(after.version) >= start);
  });
}

function violation(message: string, ...records: (HistoryRecord | undefined)[]): Violation {
  return { check: 'registers', message, records: records.filter(record => record !== undefined) };
}
