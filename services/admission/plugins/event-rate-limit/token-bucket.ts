/** Counts what happens against a rate. */
export interface TokenBucket {
  /** Takes one token; answers whether there was one. */
  take(): boolean;
}

/** Creates a bucket of `burst` tokens that is full at first and gets `qps` more each second; `clock` is in milliseconds. */
export function createTokenBucket(
  { qps, burst }: { readonly qps: number; readonly burst: number },
  clock: () => number,
): TokenBucket {
  let tokens = burst;
  let at = clock();
  return {
    take() {
      const now = clock();
      // A clock that was set back adds nothing.
      tokens = Math.min(burst, tokens + (Math.max(0, now - at) / 1000) * qps);
      at = now;
      if (tokens < 1) return false;
      tokens--;
      return true;
    },
  };
}
