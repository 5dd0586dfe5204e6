import { setTimeout as pause } from 'node:timers/promises';
import { summarizeLatencies } from '../measure/latencies.ts';
import { textTable } from '../report/text-table.ts';
import type { RollingForm } from './rolling-form.ts';

const added = 3;
const sampleEveryMs = 2_000;
const aloneMs = 10_000;
/** Balanced: the busiest gateway has at most so many times its share. */
const balancedTimes = 1.5;

interface Gateway {
  readonly operationsPort: number;
  /** Requests for config maps that were answered by the last sample. */
  answered: number;
}

/** Adds gateways to one, and stops them after a while; prints how requests and watches spread meanwhile, and whether no write failed. */
export async function scaleGateways(
  rolling: RollingForm,
  seconds: number,
): Promise<{ readonly holds: boolean }> {
  const { form, ready, writes } = rolling;
  const samples = new Samples(rolling, [form.operationsPort('gateway-1')]);
  const sampleFor = async (phase: string, milliseconds: number) => {
    for (const end = performance.now() + milliseconds; performance.now() < end; ) {
      await pause(sampleEveryMs);
      await samples.take(phase);
    }
  };
  const startedAt = performance.now();
  await sampleFor('one', aloneMs);
  const more: Awaited<ReturnType<typeof form.addGateway>>[] = [];
  for (let number = 0; number < added; number++) {
    const gateway = await form.addGateway();
    more.push(gateway);
    await ready.add(gateway.url);
    samples.gateways.push({ operationsPort: gateway.operationsPort, answered: 0 });
    await samples.take('adding');
  }
  const addedAt = performance.now();
  await sampleFor('four', seconds * 1000);
  for (const gateway of more) {
    await gateway.process.stop();
    ready.remove(gateway.url);
    samples.gateways.splice(1, 1);
    await samples.take('stopping');
  }
  await sampleFor('one again', aloneMs);
  for (const line of textTable(samples.rows)) console.log(line);
  for (const what of ['requests', 'watches'] as const) {
    const at = samples.balancedAt[what];
    const when =
      at === undefined
        ? 'not balanced'
        : `balanced ${((at - addedAt) / 1000).toFixed(0)} s after the last one was added`;
    console.log(`${what}: ${when} (no gateway with more than ${balancedTimes} times its share)`);
  }
  const failed = writes.written.filter(({ dueAt, outcome }) => dueAt >= startedAt && !/^2/.test(outcome));
  for (const { verb, outcome, message } of failed.slice(0, 4))
    console.log(`failed: ${verb} ${outcome} ${message}`);
  return { holds: failed.length === 0 };
}

/** The rows of the table, each of the time since the one before. */
class Samples {
  readonly gateways: Gateway[];
  readonly rows: string[][] = [
    [
      ...['s', 'phase', 'requests/s', 'watches', 'failed at first', 'after a retry', 'p99 ms', 'longest'],
      ...['watches ended', 'no bookmark', 'broken', 'expired', 'longest gap', 'longest event'],
    ],
  ];
  readonly balancedAt: { requests?: number; watches?: number } = {};
  readonly #rolling: RollingForm;
  readonly #startedAt = performance.now();
  #at = this.#startedAt;

  constructor(rolling: RollingForm, operationsPorts: readonly number[]) {
    this.#rolling = rolling;
    this.gateways = operationsPorts.map(operationsPort => ({ operationsPort, answered: 0 }));
  }

  async take(phase: string): Promise<void> {
    const { writes, takeFigures } = this.#rolling;
    const figures = await takeFigures();
    const [from, now] = [this.#at, performance.now()];
    this.#at = now;
    const reads = await Promise.all(this.gateways.map(readMetrics));
    const answered = this.gateways.map((gateway, index) => {
      const before = gateway.answered;
      gateway.answered = reads[index]?.answered ?? 0;
      return gateway.answered - before;
    });
    const watches = reads.map(({ watches: open }) => open);
    if (phase === 'four') {
      if (isEven(answered)) this.balancedAt.requests ??= now;
      if (isEven(watches)) this.balancedAt.watches ??= now;
    }
    const during = writes.written.filter(({ dueAt }) => dueAt >= from && dueAt < now);
    const waits = summarizeLatencies(during.map(({ tookMs }) => tookMs));
    const { ended, endedWithoutBookmark, brokenOff, expired, gapsMs, longestDelayMs } = figures;
    const cells = [
      ((now - this.#startedAt) / 1000).toFixed(0),
      phase,
      answered.map(count => ((count * 1000) / (now - from)).toFixed(0)).join(' '),
      watches.join(' '),
      during.filter(({ first }) => !/^2/.test(first)).length,
      during.filter(({ outcome }) => !/^2/.test(outcome)).length,
      (waits?.p99 ?? 0).toFixed(0),
      (waits?.max ?? 0).toFixed(0),
      ...[ended, endedWithoutBookmark, brokenOff, expired],
      Math.max(0, ...gapsMs).toFixed(0),
      longestDelayMs.toFixed(0),
    ];
    this.rows.push(cells.map(String));
  }
}

function isEven(counts: readonly number[]): boolean {
  const sum = counts.reduce((total, count) => total + count, 0);
  return sum > 0 && Math.max(...counts) <= (balancedTimes * sum) / counts.length;
}

/** The requests for config maps that a gateway has answered, and its open watches of them. */
async function readMetrics({ operationsPort }: Gateway): Promise<{ answered: number; watches: number }> {
  const text = await (await fetch(`http://127.0.0.1:${operationsPort}/metrics`)).text();
  const sum = (pattern: RegExp) =>
    [...text.matchAll(pattern)].reduce((total, [, value]) => total + Number(value), 0);
  return {
    answered: sum(/^apiserver_request_total\{[^}]*resource="configmaps"[^}]*\} (\S+)$/gm),
    watches: sum(/^apiserver_longrunning_requests\{[^}]*resource="configmaps"[^}]*\} (\S+)$/gm),
  };
}
