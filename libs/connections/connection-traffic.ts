import type { Awaited, StallTimeouts } from './stall-clock.ts';

/** The requests of an established connection, as the guard sees them. */
export interface ConnectionTraffic {
  /** Whether a request is under way. */
  readonly isActive: boolean;
  /** Whether bytes wait for the client. */
  readonly isSending: boolean;
  /** How long the client has made the whole connection wait without progress, in ms; 0 while anything else goes on. */
  waitedMs(now: number): number;
  /** The side, body or answer, on which the client has made the whole connection wait longer than it may; checked periodically. */
  stalled(now: number, timeouts: StallTimeouts): Awaited | undefined;
  /** The server stops: clients are asked to send no more requests, if the protocol supports it. */
  startStopping?(): void;
}
