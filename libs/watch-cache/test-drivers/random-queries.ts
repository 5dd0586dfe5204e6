import { parseFieldSelector, parseLabelSelector } from '@binnacle/api-objects';
import type { CacheQuery } from '../contract/contract.ts';

/** Returns random integers from 0 up to a bound, exclusive. */
export type Random = (below: number) => number;

const apps = ['app-0', 'app-1', 'app-2', 'app-3', ''];
const terms: readonly ((random: Random) => string)[] = [
  random => `app=${apps[random(apps.length)]}`,
  random => `app in (${apps[random(4)]},${apps[random(4)]})`,
  random => `shard=s${random(12)}`,
  random => `shard in (s${random(12)},s${random(12)},s${random(12)})`,
  random => `unique=u${random(300)}`,
  random => `unique in (u${random(300)},u${random(300)})`,
  random => `constructor=c${random(3)}`,
  () => 'app',
  () => '!shard',
  random => `app!=${apps[random(apps.length)]}`,
  random => `shard notin (s${random(12)},s${random(12)})`,
];

/** Creates a seeded source of random integers. */
export function createRandom(seed: number): Random {
  let state = seed * 2654435761 + 1;
  return below => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    const mixed = Math.imul(state ^ (state >>> 13), 0x297a2d39);
    return ((mixed ^ (mixed >>> 16)) >>> 0) % below;
  };
}

/** Returns labels of an object: some with few values, some with many, or none. */
export function randomLabels(random: Random): Record<string, string> | undefined {
  if (random(12) === 0) return undefined;
  const labels: Record<string, string> = {};
  if (random(5) > 0) labels['app'] = apps[random(apps.length)] ?? '';
  if (random(3) > 0) labels['shard'] = `s${random(12)}`;
  if (random(3) === 0) labels['unique'] = `u${random(300)}`;
  if (random(8) === 0) labels['constructor'] = `c${random(3)}`;
  return labels;
}

/** Returns a query of up to three label terms, in one namespace or in all, sometimes with a field. */
export function randomQuery(random: Random, namespaces: readonly string[]): CacheQuery {
  const wanted = Array.from({ length: random(4) }, () => terms[random(terms.length)]?.(random) ?? '');
  const field = random(8);
  return {
    namespace: random(2) === 0 ? namespaces[random(namespaces.length)] : undefined,
    ...(wanted.length > 0 && { labelSelector: parseLabelSelector(wanted.join(',')) }),
    ...(field === 0 && { fieldSelector: parseFieldSelector(`metadata.name!=n${random(60)}`) }),
    ...(field === 1 && {
      fieldSelector: parseFieldSelector(`metadata.namespace=${namespaces[random(namespaces.length)]}`),
    }),
    ...(field === 2 && { fieldSelector: parseFieldSelector(`metadata.name=n${random(60)}`) }),
  };
}
