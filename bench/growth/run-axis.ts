import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorMessage } from '@binnacle/status-errors';
import { LoadProcess } from '../load/load-process.ts';
import type { MeasuredServer } from '../server/measured-server.ts';
import type { Axis, Setting, WorkName } from './axes.ts';
import { findGrowth, findMemoryGrowth } from './find-growth.ts';
import { GrowthObjects } from './growth-objects.ts';
import type { AxisResult, StepResult } from './growth-report.ts';
import { measureStep, type StepContext } from './measure-step.ts';

/** Options of the measurement of an axis. */
export interface AxisOptions {
  /** Starts a server in a directory of its own, with so many gateways. */
  start(directory: string, gateways: number): Promise<MeasuredServer>;
  readonly stepMs: number;
  /** The time that the axis has: after two steps, one that would take longer than what is left, by the steps before, is not begun. */
  readonly budgetMs: number;
  readonly progress: StepContext['progress'];
}

/** Objects that a new server creates before it is measured, for each second of a measurement. */
const warmUpPerSecond = 400;

/** Steps of an axis that were measured, and those that were not. */
type Measured = Pick<AxisResult, 'steps' | 'left'>;

/**
 * Measures every step of an axis on a server of its own. A failure is part of the result, so that the measured steps
 * are not lost.
 */
export async function runAxis(axis: Axis, options: AxisOptions): Promise<AxisResult> {
  const { name, description, unit, grows, base } = axis;
  const { steps, left } = await measureSteps(axis, options).catch((error: unknown) => ({
    steps: [],
    left: axis.steps.map(value => ({ value, why: errorMessage(error) })),
  }));
  const memoryGrowth = axis.usesMemory ? findMemoryGrowth(steps) : [];
  return {
    ...{ name, description, unit, grows, base, steps, left, memoryGrowth },
    growth: findGrowth(axis, steps),
  };
}

/** The server is warm when the first step begins. */
async function measureSteps(axis: Axis, options: AxisOptions): Promise<Measured> {
  const started = performance.now();
  await using stack = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-growth-'));
  stack.defer(() => rm(directory, { recursive: true, force: true }));
  options.progress('start', 0, 1);
  const settings = axis.steps.map(value => ({ ...axis.base, [axis.grows]: value }));
  const gateways = settings[0]?.gateways ?? axis.base.gateways;
  const server = stack.use(await options.start(directory, gateways));
  const requests = stack.use(new LoadProcess());
  const { target } = server;
  const objects = new GrowthObjects({ target, prefix: 'growth', process: requests });
  const context: StepContext = { axis, server, objects, requests, ...options };
  await warmUp(context, settings[0] ?? axis.base);
  const steps: StepResult[] = [];
  const left: { value: number; why: string }[] = [];
  let failure: string | undefined;
  for (const setting of settings) {
    const value = setting[axis.grows];
    const isInTime = hasTime(performance.now() - started, steps, options);
    const why = failure ?? (isInTime ? undefined : 'the time of the axis would not do');
    if (why !== undefined) {
      left.push({ value, why });
      continue;
    }
    while (server.gateways.length < setting.gateways && server.addGateway) await server.addGateway();
    const progress: StepContext['progress'] = (what, done, total) =>
      options.progress(`${value} ${what}`, done, total);
    try {
      steps.push(await measureStep(setting, { ...context, progress }));
      if (axis.isAnew) await objects.clear(setting);
    } catch (error) {
      // The objects are not what the next step needs.
      failure = `step ${value} failed: ${errorMessage(error)}`;
      if (steps.at(-1)?.value !== value) left.push({ value, why: failure });
    }
  }
  return { steps, left };
}

function hasTime(elapsedMs: number, steps: readonly StepResult[], { budgetMs }: AxisOptions): boolean {
  const [before, last] = steps.slice(-2);
  // One step alone shows no growth.
  if (before === undefined || last === undefined) return true;
  const growth = Math.max(1, last.seconds / before.seconds);
  return elapsedMs + last.seconds * growth * 1000 <= budgetMs;
}

/** Sends each kind of request, and opens watchers, so that the code that the first step measures is compiled. */
async function warmUp(context: StepContext, setting: Setting): Promise<void> {
  const { server, requests: process, stepMs, axis } = context;
  const { target } = server;
  context.progress('warm-up', 0, 1);
  const objects = new GrowthObjects({ target, prefix: 'warm', process });
  const small: Setting = { ...setting, namespaces: 1, objectBytes: Math.min(setting.objectBytes, 1_024) };
  const count = Math.ceil((warmUpPerSecond * stepMs) / 1_000);
  await objects.createNamespaces(small);
  await objects.fill(small, count);
  for (const operation of ['get', 'patch'] as const)
    for (const gateway of server.gateways)
      await process.run(objects.load(small, { operation, requests: count, target: gateway }));
  const [watchers, otherWatchers] = [Math.min(setting.watchers, 100), Math.min(setting.otherWatchers, 100)];
  const watched = { ...small, watchers, otherWatchers, objects: count, writesPerSecond: 40 };
  const watchWorks = Object.keys(axis.works).filter(work => work === 'delivery' || work === 'watched-write');
  const works = Object.fromEntries(
    ['list', 'list-by-label', 'list-page', ...watchWorks].map(work => [work, 0]),
  ) as Partial<Record<WorkName, number>>;
  await measureStep(watched, { ...context, objects, axis: { ...axis, works }, progress: () => {} });
  await objects.clear(small);
}
