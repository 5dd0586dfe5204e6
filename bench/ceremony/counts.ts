/** What is counted of a server; the hook of the server changes it. */
export interface Counts {
  promises: number;
  timers: number;
}

/** What the process that counts is told. */
export type CountCommand = 'start' | 'stop';
