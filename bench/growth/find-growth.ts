import type { Axis, WorkName } from './axes.ts';
import type { Growth, MemoryGrowth, StepResult } from './growth-report.ts';

/** Excess of a power above its limit that is more than an error of the measurement. */
const tolerance = 0.1;

/** Computes the growth of the cost of each work of an axis, from the steps whose load reached the wanted rate. */
export function findGrowth(axis: Axis, steps: readonly StepResult[]): Growth[] {
  // Typed keys: the record has no others.
  return (Object.entries(axis.works) as [WorkName, number][]).map(([work, mayBe]) => {
    const points = steps.flatMap(({ value, works }) =>
      works
        .filter(result => result.work === work && !result.limits.some(({ isOfLoad }) => isOfLoad))
        .map(({ ownMicrosPerUnit }) => [value, ownMicrosPerUnit] as const),
    );
    const power = powerFrom(points);
    return { work, power, mayBe, isTooFast: power !== undefined && power > mayBe + tolerance };
  });
}

/** The power of x with which y grows: the slope of the straight line nearest to the logarithms. */
export function powerFrom(points: readonly (readonly [x: number, y: number])[]): number | undefined {
  const logs = points.filter(([x, y]) => x > 0 && y > 0).map(([x, y]) => [Math.log(x), Math.log(y)] as const);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(logs.map(([x]) => x)), mean(logs.map(([, y]) => y))];
  const spread = logs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  if (!(spread > 0)) return undefined;
  return logs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread;
}

/** Memory that each further unit of the axis takes, by process: from the first step to the last. */
export function findMemoryGrowth(steps: readonly StepResult[]): MemoryGrowth[] {
  const [first, last] = [steps[0], steps.at(-1)];
  if (first === undefined || last === undefined || last.value === first.value) return [];
  const more = last.value - first.value;
  return Object.entries(last.memory).flatMap(([process, end]) => {
    const start = first.memory[process];
    if (start === undefined) return [];
    const hasHeap = end.heap !== undefined && start.heap !== undefined;
    return {
      process,
      residentBytes: (end.resident - start.resident) / more,
      heapBytes: hasHeap
        ? ((end.heap ?? 0) + (end.external ?? 0) - (start.heap ?? 0) - (start.external ?? 0)) / more
        : undefined,
    };
  });
}
