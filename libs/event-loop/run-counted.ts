/** Runs work that yields between its steps, and counts them. */
export function runCounted<T>(work: Generator<void, T>): { readonly result: T; readonly steps: number } {
  for (let steps = 1; ; steps++) {
    const step = work.next();
    if (step.done) return { result: step.value, steps };
  }
}
