import type { Change } from '../records/changes.ts';
import { type HistoryRecord, type ReadRecord, versionNumber, type WriteRecord } from '../records/records.ts';
import type { Timeline } from '../records/timeline.ts';

/** Limits of the search. */
export interface SearchBudget {
  /** Steps of the search for one object. */
  readonly steps: number;
  /** Whether all searches together have taken too long. */
  readonly isSpent: () => boolean;
}

/** The operations of one object. */
interface RegisterOperations {
  /** Changes that surely happened. */
  readonly own: readonly Change[];
  /** Acknowledged deletions without a version, which happened, and writes of unknown outcome, which may have. */
  readonly open: readonly WriteRecord[];
  readonly reads: readonly ReadRecord[];
  /** Refused writes whose refusal tells of the state of the object. */
  readonly refused: readonly WriteRecord[];
  readonly timeline: Timeline;
}

/** Whether there is an order; where there is none, the records at which the longest attempt ended. */
type SearchOutcome =
  | { readonly kind: 'found' }
  | { readonly kind: 'none'; readonly around: readonly HistoryRecord[] }
  | { readonly kind: 'undecided' };

/** The state of the register. `version` is undefined after a write whose version is not known. */
interface State {
  readonly isThere: boolean;
  readonly version: number | undefined;
  readonly value: string | undefined;
  /** The highest version that is known to have been passed. */
  readonly floor: number;
}

interface Operation {
  readonly index: number;
  readonly start: number;
  /** Infinity for an operation that needs not have happened. */
  readonly end: number;
  readonly record: HistoryRecord;
  /** The state afterwards; undefined where the operation cannot have been done in this state. */
  readonly apply: (state: State) => State | undefined;
}

/** A call or return in the order of time, linked so that operations can be taken out and put back. */
interface Entry {
  readonly operation: Operation;
  readonly isCall: boolean;
  previous: Entry | undefined;
  next: Entry | undefined;
}

/**
 * Searches an order of operations, each between its start and its end, that the register explains: the search of Wing and Gong
 * with Lowe's memory of what was tried. Operations that need not have happened have no end.
 */
export function findOrder(operations: RegisterOperations, budget: SearchBudget): SearchOutcome {
  const all = createOperations(operations);
  const { head, callOf, returnOf } = linkEntries(all);
  const optional = all.filter(operation => !isCertain(operation)).length;
  const tried = new Set<string>();
  const path: { readonly call: Entry; readonly before: State }[] = [];
  let state: State = { isThere: false, version: undefined, value: undefined, floor: -1 };
  let done = 0n;
  let missing = all.length - optional;
  let longest = { length: -1, around: [] as HistoryRecord[] };
  let entry = head.next;
  for (let step = 0; missing > 0; step++) {
    if (step >= budget.steps || (step % 1024 === 0 && budget.isSpent())) return { kind: 'undecided' };
    if (entry?.isCall) {
      const { operation } = entry;
      const after = operation.apply(state);
      const bit = 1n << BigInt(operation.index);
      if (after && isNew(tried, placementKey(head, entry, done | bit, optional), after)) {
        path.push({ call: entry, before: state });
        [state, done] = [after, done | bit];
        take(entry, returnOf[operation.index]);
        if (isCertain(operation)) missing--;
        entry = head.next;
      } else entry = entry.next;
      continue;
    }
    // The return of an operation that could not be placed before it: what was placed last goes elsewhere.
    if (path.length > longest.length)
      longest = { length: path.length, around: neighbouringEntries(path, entry?.operation.record) };
    const last = path.pop();
    if (last === undefined) return { kind: 'none', around: longest.around };
    const { operation } = last.call;
    state = last.before;
    done &= ~(1n << BigInt(operation.index));
    if (isCertain(operation)) missing++;
    putBack(callOf[operation.index]!, returnOf[operation.index]); // Every operation has a call.
    entry = last.call.next;
  }
  return { kind: 'found' };
}

function neighbouringEntries(
  path: readonly { readonly call: Entry }[],
  stuck: HistoryRecord | undefined,
): HistoryRecord[] {
  const last = path.slice(-3).map(({ call }) => call.operation.record);
  return stuck ? [...last, stuck] : last;
}

function isNew(tried: Set<string>, placement: string, { isThere, version, value, floor }: State): boolean {
  const key = `${placement} ${isThere} ${version} ${floor} ${value}`;
  if (tried.has(key)) return false;
  tried.add(key);
  return true;
}

/**
 * Key of a set of placed operations, short even for long histories: all that must have happened are placed up to one,
 * and few beyond it. Those that need not have happened have the lowest indices.
 */
function placementKey(head: Pick<Entry, 'next'>, placed: Entry, done: bigint, optional: number): string {
  let first = head.next;
  while (first && (first === placed || !first.isCall || first.operation.index < optional)) first = first.next;
  const base = first?.operation.index ?? optional;
  const ofOptional = done & ((1n << BigInt(optional)) - 1n);
  return `${base} ${(done >> BigInt(base)).toString(32)} ${ofOptional.toString(32)}`;
}

function linkEntries(operations: readonly Operation[]) {
  const callOf: Entry[] = [];
  const returnOf: (Entry | undefined)[] = [];
  const timed: { time: number; entry: Entry }[] = [];
  for (const operation of operations) {
    const call: Entry = { operation, isCall: true, previous: undefined, next: undefined };
    callOf.push(call);
    timed.push({ time: operation.start, entry: call });
    const end: Entry | undefined = isCertain(operation) ? { ...call, isCall: false } : undefined;
    returnOf.push(end);
    if (end) timed.push({ time: operation.end, entry: end });
  }
  // An operation that begins when another ends counts as concurrent with it.
  timed.sort((a, b) => a.time - b.time || Number(b.entry.isCall) - Number(a.entry.isCall));
  const head: Pick<Entry, 'next'> = { next: undefined };
  let last: Entry | undefined;
  for (const { entry } of timed) {
    entry.previous = last;
    if (last) last.next = entry;
    else head.next = entry;
    last = entry;
  }
  // The first entry's neighbour is the head, whose `next` alone is used.
  if (head.next) head.next.previous = head as Entry;
  return { head, callOf, returnOf };
}

function take(...entries: (Entry | undefined)[]): void {
  for (const entry of entries) {
    if (entry?.previous) entry.previous.next = entry.next;
    if (entry?.next) entry.next.previous = entry.previous;
  }
}

function putBack(call: Entry, end: Entry | undefined): void {
  for (const entry of [end, call]) {
    if (entry?.previous) entry.previous.next = entry;
    if (entry?.next) entry.next.previous = entry;
  }
}

type Unnumbered = Omit<Operation, 'index'>;

/** Whether an operation must have happened. */
function isCertain({ end }: Unnumbered): boolean {
  return end !== Number.POSITIVE_INFINITY;
}

function createOperations({ own, open, reads, refused, timeline }: RegisterOperations): Operation[] {
  const versions = new Set(own.map(({ version }) => version));
  const hasDeletions = open.some(({ verb }) => verb === 'delete');
  const operations: Unnumbered[] = [
    ...own.map(change => {
      const operation = operationFromChange(change, timeline, versions);
      // Which of the requests it was is not known, so that those alone must have happened.
      const isOfRequest = change.verb === 'delete' && change.write === undefined && hasDeletions;
      return isOfRequest ? { ...operation, start: 0, end: Number.POSITIVE_INFINITY } : operation;
    }),
    ...open.map(write => operationFromOpenWrite(write, versions)),
    ...reads.map(operationFromRead),
    ...refused.map(operationFromRefusal),
  ];
  return operations
    .toSorted((a, b) => Number(isCertain(a)) - Number(isCertain(b)) || a.start - b.start)
    .map((operation, index) => ({ ...operation, index }));
}

/** A version whose write is not known may be any that no known write has. */
function isVersion(state: State, wanted: number, known: ReadonlySet<number>): boolean {
  if (!state.isThere) return false;
  return (
    state.version === wanted || (state.version === undefined && wanted > state.floor && !known.has(wanted))
  );
}

type WriteStep = Pick<WriteRecord, 'precondition'> & {
  readonly verb: Change['verb'];
  readonly value?: string | undefined;
  readonly version?: number;
};

function applyWrite(state: State, step: WriteStep, known: ReadonlySet<number>): State | undefined {
  const { verb, value, version, precondition } = step;
  if (version !== undefined && version <= state.floor) return undefined;
  if (verb === 'create' && state.isThere) return undefined;
  if ((verb === 'update' || verb === 'delete') && !state.isThere) return undefined;
  if (
    precondition !== undefined &&
    verb !== 'create' &&
    !isVersion(state, versionNumber(precondition), known)
  )
    return undefined;
  const floor = version ?? state.floor;
  const isThere = verb !== 'delete';
  return { isThere, version: isThere ? version : undefined, value: isThere ? value : undefined, floor };
}

function operationFromChange(change: Change, timeline: Timeline, known: ReadonlySet<number>): Unnumbered {
  const { verb, version, value, write, record } = change;
  const precondition = write?.precondition;
  const step = { verb, version, value, ...(precondition === undefined ? {} : { precondition }) };
  const shownAt = timeline.reachedBy(version);
  const end = write?.outcome === 'ok' ? Math.min(write.end, shownAt) : shownAt;
  const start = Math.min(write?.start ?? 0, end);
  return { start, end, record: write ?? record, apply: state => applyWrite(state, step, known) };
}

function operationFromOpenWrite(write: WriteRecord, known: ReadonlySet<number>): Unnumbered {
  const { start, outcome, verb, value, precondition } = write;
  const step = { verb, value, ...(precondition === undefined ? {} : { precondition }) };
  const end = outcome === 'ok' ? write.end : Number.POSITIVE_INFINITY;
  return { start, end, record: write, apply: state => applyWrite(state, step, known) };
}

function operationFromRead(read: ReadRecord): Unnumbered {
  const { start, end, found } = read;
  const apply = (state: State): State | undefined => {
    if (!found) return state.isThere ? undefined : state;
    const version = versionNumber(found.version);
    if (!state.isThere || state.value !== found.value) return undefined;
    if (state.version === version) return state;
    if (state.version !== undefined || version <= state.floor) return undefined;
    return { ...state, version, floor: version };
  };
  return { start, end, record: read, apply };
}

function operationFromRefusal(write: WriteRecord): Unnumbered {
  const { start, end, verb, reason, precondition } = write;
  const isTrueIn = (state: State): boolean => {
    if (verb === 'create') return state.isThere;
    if (reason === 'NotFound') return !state.isThere;
    return !state.isThere || state.version !== versionNumber(precondition ?? '');
  };
  return { start, end, record: write, apply: state => (isTrueIn(state) ? state : undefined) };
}
