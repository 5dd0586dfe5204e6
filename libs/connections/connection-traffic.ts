import type { Awaited, StallTimeouts } from './stall-clock.ts';

/** The requests of an established connection, as the guard sees them. */
export interface ConnectionTraffic {
  /** Whether a request is under way. */
  readonly isActive: boolean;
  /** Whether the client has bytes of an answer to read. */
  readonly isSending: boolean;
  /** Time for which the client has stalled the whole connection, in ms; 0 while anything else makes progress. */
  waitedMs(now: number): number;
  /**
   * Returns the side, body or answer, on which the client has stalled the whole connection beyond its timeout; called
   * periodically.
   */
  stalled(now: number, timeouts: StallTimeouts): Awaited | undefined;
  /** Called when the server stops: tells the client to send no more requests, if the protocol supports it. */
  startStopping?(): void;
}
