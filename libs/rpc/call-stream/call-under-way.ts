import type { CallContext, MethodContract } from '@binnacle/proto';
import type { StatusError } from '@binnacle/status-errors';

/** A call under way, as its session watches over it. */
export interface CallUnderWay {
  readonly method: MethodContract;
  readonly request: unknown;
  readonly call: CallContext;
  /** Ends the call where it is; what it would have answered is lost. */
  readonly cancel: () => void;
  /** Where its outcome goes: to its caller, until another answer is looked for. */
  resolve: (response: unknown) => void;
  reject: (error: StatusError) => void;
  /** Looks of the session at the call so far. */
  looks: number;
  /** Whether another answer is looked for. */
  isOverdue: boolean;
}
