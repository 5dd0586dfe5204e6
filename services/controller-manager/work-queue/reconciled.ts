/** The outcome of one attempt of a reconciler. */
export type Reconciled =
  /** Nothing more to do until something changes. */
  | { readonly kind: 'done' }
  /** Look again after so many milliseconds. */
  | { readonly kind: 'again'; readonly afterMs: number }
  /** Look again later, and later each time, as after a failure; but nothing failed. */
  | { readonly kind: 'retry' };

/** Nothing more to do until something changes. */
export const done: Reconciled = { kind: 'done' };

/** Look again after a pause that grows. */
export const retry: Reconciled = { kind: 'retry' };
