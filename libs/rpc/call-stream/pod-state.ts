import type { FrameType } from '@binnacle/proto';

const podStates = ['BUSY', 'FREE', 'PREFERRED', 'ORDINARY'] as const satisfies readonly FrameType[];

/** The state that a pod reports to its clients: whether it has much to do, and whether calls should come to it first. */
export type PodState = (typeof podStates)[number];

/** Whether a frame tells the state of its pod. */
export function isPodState(type: FrameType): type is PodState {
  return (podStates as readonly FrameType[]).includes(type);
}
