export { Backoff } from './backoff.ts';
export { pause } from './pause.ts';
export { lookMs, Pulse } from './pulse.ts';
export { isLong, runAtOnce, runInSlices, yieldAfterStep } from './run-in-slices.ts';
export { type SliceQueue, sharedSlices } from './slice-queue.ts';
export { unlessAborted } from './unless-aborted.ts';
export { untilAborted } from './until-aborted.ts';
export { type HeldStretch, sharedNotes, type WorkNotes } from './work-notes.ts';
