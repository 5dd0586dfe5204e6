/** Counts of a server, which the hook in the server changes. */
export interface Counts {
  promises: number;
  timers: number;
}

/** Messages to the process that counts. */
export type CountCommand = 'start' | 'stop';
