import { isLong, yieldAfterStep } from '@binnacle/event-loop';
import type { ApiRequest } from './api-request.ts';

/** Whether a write works on something long: only then it yields between its steps. */
export function isLongWrite({ notes }: Pick<ApiRequest, 'notes'>): boolean {
  return isLong(notes.workBytes);
}

/**
 * Lets other requests go on between two steps of a write that works on something long. Each step takes time in proportion
 * to the number of values, which is bounded, so that none holds the event loop for more than a tenth of a second.
 * Undefined, and no promise, for all other writes.
 */
export function yieldBetweenSteps({ notes }: Pick<ApiRequest, 'notes'>): Promise<void> | undefined {
  return yieldAfterStep(notes.workBytes);
}
