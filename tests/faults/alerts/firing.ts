import type { TestContext } from 'node:test';
import { pollUntil } from '@binnacle/backends';
import type { Injection } from '../injections/injection.ts';
import type { LivePrometheus } from './live-prometheus.ts';

/** Longest that an alert may take: brokers are counted every half minute, and machines are busy. */
const timeoutMs = 150_000;

/** Waits until these alerts fire, ends what was done, and waits until they do no more. */
export async function assertFires(
  context: TestContext,
  prometheus: LivePrometheus,
  { alerts, begin }: { readonly alerts: readonly string[]; readonly begin: () => Promise<Injection> },
): Promise<void> {
  const anyFires = async (): Promise<boolean> => {
    const firing = await prometheus.firing();
    return alerts.some(alert => firing.has(alert));
  };
  // Actions before this must not count for it.
  await pollUntil(`silence of ${alerts.join(', ')}`, async () => !(await anyFires()), { timeoutMs });
  const start = performance.now();
  const injection = await begin();
  const left = new Set(alerts);
  try {
    await pollUntil(
      `firing: ${alerts.join(', ')}`,
      async () => {
        const firing = await prometheus.firing();
        for (const alert of left) {
          if (!firing.has(alert)) continue;
          left.delete(alert);
          context.diagnostic(`${alert} fired after ${seconds(start)}`);
        }
        return left.size === 0;
      },
      { timeoutMs },
    );
  } catch (cause) {
    throw new Error(`did not fire: ${[...left].join(', ')}`, { cause });
  } finally {
    await injection.end();
  }
  const end = performance.now();
  await pollUntil(`the end of ${alerts.join(', ')}`, async () => !(await anyFires()), { timeoutMs });
  context.diagnostic(`ended ${seconds(end)} after: ${injection.what}`);
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}
