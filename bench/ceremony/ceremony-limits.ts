/** Verbs whose ceremony is measured. */
export const measuredVerbs = ['create', 'get', 'update', 'patch', 'apply'] as const;
export type MeasuredVerb = (typeof measuredVerbs)[number];

/**
 * The promises and timers that a request may make, in one process, of a small config map. They are the numbers that
 * the code makes, with room for a few promises of background work; a change that lowers them lowers the number here.
 */
export const ceremonyLimits: Readonly<
  Record<MeasuredVerb, { readonly promises: number; readonly timers: number }>
> = {
  create: { promises: 33, timers: 3 },
  get: { promises: 12, timers: 2 },
  update: { promises: 33, timers: 3 },
  patch: { promises: 34, timers: 3 },
  apply: { promises: 37, timers: 3 },
};
