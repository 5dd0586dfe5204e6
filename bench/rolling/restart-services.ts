import { setTimeout as pause } from 'node:timers/promises';
import { pollUntil } from '@binnacle/backends';
import { summarizeLatencies } from '../measure/latencies.ts';
import { textTable } from '../report/text-table.ts';
import type { Losses } from './find-losses.ts';
import type { FollowFigures } from './followed-watches.ts';
import { costLine, measureProcessors, type ProcessorUse } from './processor-use.ts';
import type { RollingForm } from './rolling-form.ts';
import type { Written } from './rolling-writes.ts';

/** The restart of the pods of one service, in time and as its watches saw it. */
export interface ServiceRestart {
  readonly service: string;
  /** Milliseconds of the monotonic clock: the undisturbed load, the first stop, and some time after the last pod was ready. */
  readonly undisturbedAt: number;
  readonly startedAt: number;
  readonly endedAt: number;
  /** The stop of each pod, for how long it took, and until the pod was ready again. */
  readonly pods: readonly PodRestart[];
  readonly figures: FollowFigures;
  readonly resent: number;
  /** Of the undisturbed load. */
  readonly use: ProcessorUse;
}

interface PodRestart {
  readonly name: string;
  readonly stoppedAt: number;
  readonly stopMs: number;
  readonly startMs: number;
}

/** Pause after a pod is ready, before the next one stops. */
const settleMs = 2_000;

/** Restarts the pods of a service one after the other, gracefully, each once the one before is ready. */
export async function restartService(
  rolling: RollingForm,
  service: string,
  undisturbedSeconds: number,
): Promise<ServiceRestart> {
  const { form } = rolling;
  const undisturbedAt = performance.now();
  const measured = measureProcessors(rolling);
  await pause(undisturbedSeconds * 1000);
  const use = measured();
  await rolling.takeFigures();
  const resentBefore = rolling.resent();
  const startedAt = performance.now();
  const pods: PodRestart[] = [];
  for (const pod of [...form.processes.values()].filter(({ name }) => name.startsWith(`${service}-`))) {
    const stoppedAt = performance.now();
    await pod.stop();
    const endedAt = performance.now();
    await pod.restart();
    const url = `http://127.0.0.1:${form.operationsPort(pod.name)}/readyz`;
    await pollUntil(`${pod.name} to be ready`, async signal => (await fetch(url, { signal })).ok);
    const startMs = performance.now() - endedAt;
    pods.push({ name: pod.name, stoppedAt, stopMs: endedAt - stoppedAt, startMs });
    await pause(settleMs);
  }
  const figures = await rolling.takeFigures();
  const endedAt = performance.now();
  return {
    ...{ service, undisturbedAt, startedAt, endedAt, pods, figures, use },
    resent: rolling.resent() - resentBefore,
  };
}

const head = [
  'service',
  'stop s',
  'ready s',
  'writes',
  'failed at first',
  'after a retry',
  'resent',
  'p99 before',
  'p99',
  'times',
  'longest',
  'watches ended',
  'no bookmark',
  'broken',
  'expired',
  'longest gap',
  'event p99',
  'longest',
  'lost',
  'repeated',
  'holds',
];

const slowestShown = 4;
/** The bound of the 99th percentile: so many times the undisturbed one. */
const mostTimes = 5;

/** The table of the restarts as lines; what failed, and the slowest writes, follow. */
export function restartLines(
  restarts: readonly ServiceRestart[],
  written: readonly Written[],
  losses: Losses,
): { readonly lines: readonly string[]; readonly holds: boolean } {
  const undisturbed = written.filter(({ dueAt }) =>
    restarts.some(({ undisturbedAt, startedAt }) => dueAt >= undisturbedAt && dueAt < startedAt),
  );
  // Of all services: seconds of one have too few slow writes for a percentile that is compared with others.
  const p99Before = summarizeLatencies(undisturbed.map(({ tookMs }) => tookMs))?.p99 ?? 0;
  const rows = restarts.map(restart => rowOf(restart, { written, losses, p99Before }));
  const lines = [...textTable([head, ...rows.map(({ cells }) => cells)]), ''];
  for (const { service, details } of rows) for (const line of details) lines.push(`${service}: ${line}`);
  const seen = restarts.reduce((sum, { figures }) => sum + figures.repeated, 0);
  const uses = restarts.map(({ use }) => use);
  lines.push(
    `undisturbed: ${costLine(uses, undisturbed.length)}`,
    `all watches: ${losses.lost} events lost, ${losses.repeated} repeated, ${seen} older than the one before`,
  );
  return { lines, holds: rows.every(({ holds }) => holds) && losses.lost + losses.repeated === 0 };
}

interface Row {
  readonly service: string;
  readonly cells: string[];
  readonly details: readonly string[];
  readonly holds: boolean;
}

interface RowInput {
  readonly written: readonly Written[];
  readonly losses: Losses;
  /** The 99th percentile of the undisturbed waits, in ms. */
  readonly p99Before: number;
}

function rowOf(restart: ServiceRestart, { written, losses, p99Before }: RowInput): Row {
  const { service, startedAt, endedAt, pods, figures, resent } = restart;
  const during = written.filter(({ dueAt }) => dueAt >= startedAt && dueAt < endedAt);
  const waits = summarizeLatencies(during.map(({ tookMs }) => tookMs));
  const p99 = waits?.p99 ?? 0;
  const failures = during.filter(({ outcome }) => !isSuccess(outcome));
  const lost = losses.acknowledged.filter(({ dueAt }) => dueAt >= startedAt && dueAt < endedAt).length;
  const { repeated, gapsMs, delaysMs, longestDelayMs } = figures;
  const holds = failures.length === 0 && lost + repeated === 0 && p99 < mostTimes * p99Before;
  const seconds = (pick: (pod: PodRestart) => number) =>
    pods.map(pod => (pick(pod) / 1000).toFixed(1)).join(' ');
  const ms = (value: number) => value.toFixed(0);
  const cells = [
    service,
    seconds(({ stopMs }) => stopMs),
    seconds(({ startMs }) => startMs),
    String(during.length),
    countsText(during.map(({ first }) => first).filter(outcome => !isSuccess(outcome))),
    countsText(failures.map(({ outcome }) => outcome)),
    String(resent),
    ms(p99Before),
    ms(p99),
    (p99 / p99Before).toFixed(1),
    ms(waits?.max ?? 0),
    String(figures.ended),
    String(figures.endedWithoutBookmark),
    String(figures.brokenOff),
    String(figures.expired),
    ms(Math.max(0, ...gapsMs)),
    ms(summarizeLatencies(delaysMs)?.p99 ?? 0),
    ms(longestDelayMs),
    String(lost),
    String(repeated),
    holds ? 'yes' : 'no',
  ];
  const slowest = during.toSorted((a, b) => b.tookMs - a.tookMs).slice(0, slowestShown);
  const details = [
    ...failures.slice(0, slowestShown).map(each => `failed: ${describe(each, pods)} ${each.message}`),
    ...slowest.map(each => describe(each, pods)),
    ...Object.entries(figures.refused).map(([what, count]) => `watches refused: ${what} × ${count}`),
  ];
  return { service, cells, details, holds };
}

const isSuccess = (outcome: string) => /^2/.test(outcome);

function countsText(outcomes: readonly string[]): string {
  const counts = Map.groupBy(outcomes, outcome => outcome);
  return [...counts].map(([outcome, all]) => `${outcome} × ${all.length}`).join(', ') || '0';
}

/** A write, by the pod that was stopped last before it was due. */
function describe({ verb, outcome, tookMs, dueAt }: Written, pods: readonly PodRestart[]): string {
  const pod = pods.findLast(({ stoppedAt }) => stoppedAt <= dueAt);
  const when = pod ? `${((dueAt - pod.stoppedAt) / 1000).toFixed(2)} s after the stop of ${pod.name}` : '';
  return `${verb} ${outcome} took ${tookMs.toFixed(0)} ms, due ${when}`;
}
