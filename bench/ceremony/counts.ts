/** Counts of a server, per kind of count: what it does not count is 0. */
export interface Counts {
  promises: number;
  timers: number;
  /** Bytes of JavaScript objects that were allocated; buffers are not among them. */
  bytes: number;
}

/** Messages to the process that counts. The hook that counts promises allocates, so bytes are counted without it. */
export type CountCommand = 'count promises' | 'count bytes' | 'stop';
