/**
 * The work of the leader; ends soon after the signal, which says that the term is over. It calls `atWork`, once, when it
 * has begun in earnest: a predecessor that was told to stop goes on until then, beside it.
 */
export type Duty = (term: AbortSignal, atWork: () => void) => Promise<void>;

/** Does the duty whenever, and only while, this process leads; until the signal aborts. */
export type RunAsLeader = (duty: Duty, signal: AbortSignal) => Promise<void>;

/** Leadership of a store that only this process can open. */
export const leadAlways: RunAsLeader = async (duty, signal) => {
  await duty(signal, () => {});
};
