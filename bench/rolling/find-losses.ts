import type { SeenSequence } from './followed-watches.ts';
import type { Acknowledged, ChangeKey } from './rolling-writes.ts';

/** Changes that watches did not see, or saw twice: each watch counts. */
export interface Losses {
  readonly lost: number;
  readonly repeated: number;
  /** The lost changes that were acknowledged, once for each watch. */
  readonly acknowledged: readonly Acknowledged[];
}

/**
 * Compares what the watches saw: each has to see every acknowledged change of its collection, and every other one that any
 * watch of the collection saw, once.
 */
export function findLosses(
  sequences: readonly SeenSequence[],
  acknowledged: readonly Acknowledged[],
): Losses {
  const answers = new Map(acknowledged.map(each => [`${each.collection} ${each.key}`, each]));
  const lostAnswers: Acknowledged[] = [];
  const all = new Map<string, Set<ChangeKey>>();
  const add = (collection: string, key: ChangeKey) => {
    const keys = all.get(collection) ?? new Set();
    all.set(collection, keys.add(key));
  };
  for (const { collection, keys } of sequences) for (const key of keys) add(collection, key);
  for (const { collection, key } of acknowledged) add(collection, key);
  let [lost, repeated] = [0, 0];
  for (const { collection, keys, watches } of sequences) {
    const seen = new Set(keys);
    const missing = [...(all.get(collection) ?? [])].filter(key => !seen.has(key));
    lost += watches * missing.length;
    repeated += watches * (keys.length - seen.size);
    for (const key of missing) {
      const answer = answers.get(`${collection} ${key}`);
      if (answer !== undefined) lostAnswers.push(...Array.from({ length: watches }, () => answer));
    }
  }
  return { lost, repeated, acknowledged: lostAnswers };
}
