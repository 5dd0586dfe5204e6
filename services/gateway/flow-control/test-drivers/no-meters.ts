import type { FlowMeters } from '../fair-queuing/flow.ts';

/** Meters that measure nothing. */
export const noMeters: FlowMeters = {
  enqueued: () => {},
  dequeued: () => {},
  started: () => {},
  finished: () => {},
  released: () => {},
  refused: () => {},
};
