/**
 * The work of the leader; ends soon after the signal, which marks the end of the term. It calls `atWork` once, when it has fully
 * started: a predecessor that was told to stop continues until then.
 */
export type Duty = (term: AbortSignal, atWork: () => void) => Promise<void>;

/** Performs the duty whenever, and only while, this process leads, until the signal aborts. */
export type RunAsLeader = (duty: Duty, signal: AbortSignal) => Promise<void>;

/** Leadership of a store that only this process can open. */
export const leadAlways: RunAsLeader = async (duty, signal) => {
  await duty(signal, () => {});
};
