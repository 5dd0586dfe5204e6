export { createSliceQueue, type SliceQueue, type SliceQueueOptions, sharedSlices } from './slice-queue.ts';
