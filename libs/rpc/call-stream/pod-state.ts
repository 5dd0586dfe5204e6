import type { FrameType } from '@binnacle/proto';

const podStates = ['BUSY', 'FREE', 'PREFERRED', 'ORDINARY'] as const satisfies readonly FrameType[];

/** A state that a pod reports to its clients: whether it is busy, and whether clients should prefer it. */
export type PodState = (typeof podStates)[number];

/** Whether a frame type reports a pod state. */
export function isPodState(type: FrameType): type is PodState {
  return (podStates as readonly FrameType[]).includes(type);
}
