import { setTimeout as pause } from 'node:timers/promises';
import { summarizeLatencies } from '../measure/latencies.ts';
import { textTable } from '../report/text-table.ts';
import type { RollingForm } from './rolling-form.ts';

const added = 3;
const sampleEveryMs = 2_000;
/** Balanced: the busiest gateway has at most so many times its share. */
const balancedTimes = 1.5;

interface Gateway {
  readonly url: string;
  readonly operationsPort: number;
  /** Requests that were answered by the last sample. */
  answered: number;
}

/** Adds gateways to one, and stops them after a while; prints how requests, watches and connections spread meanwhile. */
export async function scaleGateways(
  { form, balancer, writes, takeFigures }: RollingForm,
  seconds: number,
): Promise<{ readonly holds: boolean }> {
  const rows: string[][] = [];
  const startedAt = performance.now();
  const gateways: Gateway[] = form.gateways.map(url => ({
    ...{ url, operationsPort: form.operationsPort('gateway-1'), answered: 0 },
  }));
  let phase = 'one gateway';
  let sampledAt = performance.now();
  const balanced = new Map<string, number>();
  let addedAt = Number.POSITIVE_INFINITY;
  const sample = async () => {
    const figures = await takeFigures();
    const [from, now] = [sampledAt, performance.now()];
    sampledAt = now;
    const reads = await Promise.all(gateways.map(readMetrics));
    const answered = reads.map(({ answered: all }, index) => {
      const gateway = gateways[index];
      const since = gateway ? all - gateway.answered : 0;
      if (gateway) gateway.answered = all;
      return since;
    });
    const watches = reads.map(({ watches: open }) => open);
    const during = writes.written.filter(({ dueAt }) => dueAt >= from && dueAt < now);
    const waits = summarizeLatencies(during.map(({ tookMs }) => tookMs));
    for (const [what, counts] of [
      ['requests', answered],
      ['watches', watches],
    ] as const) {
      const isBalanced = gateways.length > added && isEven(counts) && now > addedAt;
      if (isBalanced && !balanced.has(what)) balanced.set(what, now - addedAt);
    }
    rows.push([
      ((now - startedAt) / 1000).toFixed(0),
      phase,
      answered.map(count => ((count * 1000) / (now - from)).toFixed(0)).join(' '),
      watches.join(' '),
      gateways.map(({ url }) => balancer.connections.get(url) ?? 0).join(' '),
      String(during.filter(({ first }) => !/^2/.test(first)).length),
      String(during.filter(({ outcome }) => !/^2/.test(outcome)).length),
      (waits?.p99 ?? 0).toFixed(0),
      (waits?.max ?? 0).toFixed(0),
      `${figures.ended} ${figures.endedWithoutBookmark} ${figures.brokenOff} ${figures.expired}`,
      Math.max(0, ...figures.gapsMs).toFixed(0),
      figures.longestDelayMs.toFixed(0),
    ]);
  };
  const sampleFor = async (milliseconds: number) => {
    for (const end = performance.now() + milliseconds; performance.now() < end; ) {
      await pause(sampleEveryMs);
      await sample();
    }
  };
  await sampleFor(10_000);
  phase = 'starting';
  const more: Awaited<ReturnType<typeof form.addGateway>>[] = [];
  for (let number = 0; number < added; number++) {
    const gateway = await form.addGateway();
    more.push(gateway);
    await balancer.add(gateway.url);
    gateways.push({ ...gateway, answered: 0 });
    await sample();
  }
  addedAt = performance.now();
  phase = 'four';
  await sampleFor(seconds * 1000);
  for (const gateway of more) {
    phase = `${gateways.length - 1} left`;
    await gateway.process.stop();
    balancer.remove(gateway.url);
    gateways.splice(
      gateways.findIndex(({ url }) => url === gateway.url),
      1,
    );
    await sample();
  }
  phase = 'one again';
  await sampleFor((seconds * 1000) / 4);
  const head = ['s', 'phase', 'requests/s', 'watches', 'connections', 'failed at first', 'after a retry'];
  const more2 = ['p99', 'longest', 'ended: bookmark, none, broken, expired', 'longest gap', 'longest event'];
  for (const line of textTable([[...head, ...more2], ...rows])) console.log(line);
  for (const what of ['requests', 'watches']) {
    const afterMs = balanced.get(what);
    const when = afterMs === undefined ? 'not balanced' : `balanced after ${(afterMs / 1000).toFixed(0)} s`;
    console.log(`${what}: ${when} (no gateway with more than ${balancedTimes} times its share)`);
  }
  return { holds: writes.written.every(({ outcome }) => /^2/.test(outcome)) };
}

function isEven(counts: readonly number[]): boolean {
  const sum = counts.reduce((total, count) => total + count, 0);
  return sum > 0 && Math.max(...counts) <= (balancedTimes * sum) / counts.length;
}

/** The requests that a gateway has answered, and its open watches of the load. */
async function readMetrics({ operationsPort }: Gateway): Promise<{ answered: number; watches: number }> {
  const text = await fetch(`http://127.0.0.1:${operationsPort}/metrics`).then(
    answer => answer.text(),
    () => '',
  );
  const sum = (pattern: RegExp) =>
    [...text.matchAll(pattern)].reduce((total, [, value]) => total + Number(value), 0);
  return {
    answered: sum(/^apiserver_request_total\{[^}]*resource="configmaps"[^}]*\} (\S+)$/gm),
    watches: sum(/^apiserver_longrunning_requests\{[^}]*resource="configmaps"[^}]*\} (\S+)$/gm),
  };
}
