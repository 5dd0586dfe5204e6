import type { Trace } from './trace.ts';

declare const monotonic: unique symbol;

/**
 * A moment by the monotonic clock of this process, in the milliseconds of `performance.now()`: a step of the wall clock
 * neither reaches nor delays it. It means nothing to another process; between processes the time that is left travels.
 */
export type Deadline = number & { readonly [monotonic]: true };

/** The context of every call between services: how long it may take, who may end it, and the trace it belongs to. */
export interface CallContext {
  /** Aborted when the caller gives up or the deadline passes. */
  readonly signal: AbortSignal;
  /** The moment after which no answer is wanted. */
  readonly deadline: Deadline;
  /** The trace that the call belongs to; undefined: it belongs to none. */
  readonly trace?: Trace | undefined;
}

/** The deadline of a call that may take any time. */
export const noDeadline = Number.POSITIVE_INFINITY as Deadline; // a number becomes a moment here and in deadlineIn alone

/** The moment so many milliseconds from now. */
export function deadlineIn(milliseconds: number): Deadline {
  return (performance.now() + milliseconds) as Deadline; // see noDeadline
}

/** Milliseconds until a deadline; 0 or less once it has passed. */
export function millisecondsUntil(deadline: Deadline): number {
  return deadline - performance.now();
}

/** The deadline that comes first. */
export function earlierDeadline(one: Deadline, other: Deadline): Deadline {
  return one < other ? one : other;
}
