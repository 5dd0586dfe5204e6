import type { CallContext, MethodContract } from '@binnacle/proto';
import type { StatusError } from '@binnacle/status-errors';

/** A call under way, as its session keeps it. */
export interface CallUnderWay {
  readonly method: MethodContract;
  readonly request: unknown;
  readonly call: CallContext;
  /** Cancels the call; its answer is discarded. */
  readonly cancel: () => void;
  /** Receives the outcome: settles the caller's promise, or, once the call is overdue, an intermediate one. */
  resolve: (response: unknown) => void;
  reject: (error: StatusError) => void;
  /** Number of checks of the call by its session so far, one every 50 ms. */
  looks: number;
  /** Whether the call is also sent to a second pod, or its outcome is being recovered. */
  isOverdue: boolean;
}
