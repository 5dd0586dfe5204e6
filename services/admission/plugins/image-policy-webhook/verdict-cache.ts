import type { ImagePolicy } from './image-policy.ts';
import type { ImageReviewStatus } from './image-review.ts';

/** Recent answers of a backend. */
interface VerdictCache {
  get(spec: string): ImageReviewStatus | undefined;
  put(spec: string, status: ImageReviewStatus): void;
}

/** Creates a cache of at most `capacity` verdicts, the one that was asked for longest ago forgotten first. */
export function createVerdictCache(
  { allowTtlMs, denyTtlMs }: Pick<ImagePolicy, 'allowTtlMs' | 'denyTtlMs'>,
  clock: () => number,
  capacity = 1024,
): VerdictCache {
  const verdicts = new Map<
    string,
    { readonly status: ImageReviewStatus; readonly from: number; readonly until: number }
  >();
  return {
    get(spec) {
      const verdict = verdicts.get(spec);
      if (verdict === undefined) return undefined;
      verdicts.delete(spec);
      const now = clock();
      // A clock that was set back keeps no verdict for longer.
      if (now < verdict.from || verdict.until <= now) return undefined;
      verdicts.set(spec, verdict);
      return verdict.status;
    },
    put(spec, status) {
      const ttl = status.allowed ? allowTtlMs : denyTtlMs;
      if (ttl === 0) return;
      verdicts.delete(spec);
      const from = clock();
      verdicts.set(spec, { status, from, until: from + ttl });
      if (verdicts.size > capacity) {
        const [oldest = ''] = verdicts.keys();
        verdicts.delete(oldest);
      }
    },
  };
}
