export { type PauseClock, type PauseOptions, pause } from './pause.ts';
export { restAfterStep, runAtOnce, runInSlices } from './run-in-slices.ts';
export { createSliceQueue, type SliceQueue, type SliceQueueOptions, sharedSlices } from './slice-queue.ts';
export { unlessAborted } from './unless-aborted.ts';
export { untilAborted } from './until-aborted.ts';
export {
  createWorkNotes,
  type HeldStretch,
  type LoopHolder,
  sharedNotes,
  type WorkNotes,
} from './work-notes.ts';
