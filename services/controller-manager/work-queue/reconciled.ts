/** The outcome of one attempt of a reconciler. */
export type Reconciled =
  /** The pass is complete until something changes. */
  | { readonly kind: 'done' }
  /** Another pass is due after so many milliseconds. */
  | { readonly kind: 'again'; readonly afterMs: number }
  /** Another pass is due after a growing pause, as after a failure, but nothing failed. */
  | { readonly kind: 'retry' };

/** The pass is complete until something changes. */
export const done: Reconciled = { kind: 'done' };

/** The outcome of a pass that needs another one after a growing pause. */
export const retry: Reconciled = { kind: 'retry' };
