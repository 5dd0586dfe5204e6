import { describeMachine } from '../measure/describe-machine.ts';
import { ProgressBar } from '../report/progress-bar.ts';
import type { Axis } from './axes.ts';
import type { AxisResult, GrowthReport } from './growth-report.ts';
import { type AxisOptions, runAxis } from './run-axis.ts';

/** Options of a growth measurement. */
interface GrowthOptions extends Pick<AxisOptions, 'start' | 'stepMs'> {
  readonly axes: readonly Axis[];
  /** The form that is started, for the report. */
  readonly form: string;
  /** Time for all axes, of which each gets an equal part of what those before it left. */
  readonly budgetMs: number;
  /** Called after each axis with the results so far. */
  onAxis(report: GrowthReport): Promise<void>;
}

/** Measures axis by axis. */
export async function runGrowth(options: GrowthOptions): Promise<GrowthReport> {
  const started = performance.now();
  const startedAt = new Date().toISOString();
  const bar = new ProgressBar();
  const results: AxisResult[] = [];
  const createReport = (): GrowthReport => ({
    startedAt,
    form: options.form,
    machine: describeMachine(),
    seconds: (performance.now() - started) / 1000,
    axes: results,
  });
  for (const [index, axis] of options.axes.entries()) {
    const result = await runAxis(axis, {
      ...options,
      budgetMs: (options.budgetMs - (performance.now() - started)) / (options.axes.length - index),
      progress: (what, done, total) => bar.update(`${axis.name} ${what}`, done, total),
    });
    bar.clear();
    results.push(result);
    await options.onAxis(createReport());
  }
  return createReport();
}
