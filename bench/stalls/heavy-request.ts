import type { LoadTarget } from '../load/protocol.ts';

/** One request as it is sent. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly accept?: string;
  readonly type?: string;
  readonly body?: Buffer;
}

/** The answer to a heavy request. */
export interface HeavyAnswer {
  /** 0 when the connection ended without one. */
  readonly status: number;
  /** To the last byte. */
  readonly bytes: number;
}

/** Webhooks that run beside the bench. */
export interface RunningHooks {
  /** Without a path. */
  readonly url: string;
  /** In base64. */
  readonly caBundle: string;
}

/** An expensive request. */
export interface HeavyRequest {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly accept?: string;
  readonly type?: string;
  /** Returns the body of the client of this number, in the run of this number. */
  readonly body?: (client: number, run: number) => Buffer;
  /** Number of clients that send it at once; default 1. */
  readonly clients?: number;
  /** Requests that make, before the first run, the objects that it needs; those that exist already stay. */
  readonly setup?: (hooks: RunningHooks) => Iterable<SentRequest>;
  /** Requests before each run, so that it finds the work to be done. */
  readonly before?: (run: number) => Iterable<SentRequest>;
  /** Sends something else than one request of each client. */
  readonly send?: (target: LoadTarget) => Promise<HeavyAnswer>;
  /** Time for which its work goes on after the answer; default 0. */
  readonly settleMs?: number;
  /** Whether it can be run once only; default false. */
  readonly isOnce?: boolean;
}
