import type { AxisResult, Growth, StepResult, WorkResult } from './growth-report.ts';

/** A table of texts. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Part of a unit's cost below which a process is left out of tables. */
const shownPart = 0.01;

/** The steps of an axis with the figures of one work: cost of a unit, ratio to the first step, latencies, load, limits, cost by process. */
export function workTable(axis: AxisResult, work: string): Table {
  const steps = axis.steps.flatMap(step => {
    const result = step.works.find(candidate => candidate.work === work);
    return result === undefined ? [] : [{ step, result }];
  });
  const first = steps[0]?.result;
  const processes = findShownProcesses(steps.map(({ result }) => result.cpuMicrosPerUnit));
  const head = [
    axis.unit,
    `µs a ${first?.unit ?? 'unit'}`,
    'ratio',
    ...['request p50 ms', 'p99', 'delivery p50 ms', 'p99'],
    'load µs',
    ...processes.map(process => `${process} µs (ratio)`),
    'limit',
  ];
  const rows = steps.map(({ step, result }) => [
    step.value.toLocaleString('en'),
    shortNumber(result.ownMicrosPerUnit),
    ratio(result.ownMicrosPerUnit, first?.ownMicrosPerUnit),
    ...latencyCells(result),
    shortNumber(result.loadMicrosPerUnit),
    ...processes.map(process => {
      const micros = result.cpuMicrosPerUnit[process] ?? 0;
      return `${shortNumber(micros)} (${ratio(micros, first?.cpuMicrosPerUnit[process])})`;
    }),
    result.limits.map(({ what }) => what).join('; '),
  ]);
  return { head, rows };
}

/** The steps of an axis with the CPU of each idle process, in thousandths of a processor. */
export function idleTable({ unit, steps }: AxisResult): Table {
  const processes = findShownProcesses(steps.map(({ idleMicrosPerSecond }) => idleMicrosPerSecond));
  return {
    head: [unit, ...processes],
    rows: steps.map(({ value, idleMicrosPerSecond }) => [
      value.toLocaleString('en'),
      ...processes.map(process => shortNumber((idleMicrosPerSecond[process] ?? 0) / 1000)),
    ]),
  };
}

/** The steps of an axis with the memory of each process in MB: resident, JavaScript objects, bytes beside them. */
export function memoryTable({ unit, steps }: AxisResult): Table {
  const processes = [...new Set(steps.flatMap(({ memory }) => Object.keys(memory)))].sort();
  const cell = (step: StepResult, process: string): string => {
    const memory = step.memory[process];
    if (memory === undefined) return '–';
    const parts = [memory.resident, memory.heap, memory.external].map(bytes =>
      bytes === undefined ? undefined : Math.round(bytes / 1e6),
    );
    return parts.filter(part => part !== undefined).join(' / ');
  };
  return {
    head: [unit, ...processes],
    rows: steps.map(step => [
      step.value.toLocaleString('en'),
      ...processes.map(process => cell(step, process)),
    ]),
  };
}

/** A sentence about the growth of the cost of a work. */
export function growthText({ work, power, mayBe, isTooFast }: Growth, unit: string): string {
  if (power === undefined) return `${work}: fewer than two steps count.`;
  const verdict = isTooFast ? 'FASTER than it may' : 'as it may';
  return `${work}: grows as ${unit} to the power of ${power.toFixed(2)}, ${verdict} (${mayBe}).`;
}

/** The memory that each further unit takes, where it is more than a few bytes. */
export function memoryGrowthText({ memoryGrowth, unit }: AxisResult): string {
  const grown = memoryGrowth.filter(({ residentBytes }) => residentBytes >= 100);
  const parts = grown.map(({ process, residentBytes, heapBytes }) => {
    const heap =
      heapBytes === undefined ? '' : `, of them ${shortNumber(heapBytes / 1024)} in heap and buffers`;
    return `${process} ${shortNumber(residentBytes / 1024)} KiB${heap}`;
  });
  return parts.length === 0 ? '' : `Memory by each further one of ${unit}: ${parts.join('; ')}.`;
}

/** The fixed values of an axis, as text. */
export function baseText({ base, grows }: AxisResult): string {
  return Object.entries(base)
    .filter(([name]) => name !== grows)
    .map(([name, value]) => `${name} ${value}`)
    .join(' · ');
}

/** Processes in the order of their names that take a part of the cost anywhere. */
function findShownProcesses(costs: readonly Readonly<Record<string, number>>[]): string[] {
  const shown = new Set<string>();
  for (const cost of costs) {
    const sum = Object.values(cost).reduce((all, micros) => all + micros, 0);
    for (const [process, micros] of Object.entries(cost)) if (micros > sum * shownPart) shown.add(process);
  }
  return [...shown].sort();
}

function latencyCells({ requestLatencies, deliveryLatencies }: WorkResult): string[] {
  return [requestLatencies, deliveryLatencies].flatMap(latencies => [
    latencies?.p50.toFixed(1) ?? '–',
    latencies?.p99.toFixed(1) ?? '–',
  ]);
}

function ratio(value: number, first: number | undefined): string {
  return first === undefined || first <= 0 ? '–' : (value / first).toFixed(2);
}

/** A number with three significant digits. */
function shortNumber(value: number): string {
  if (value === 0) return '0';
  return Math.abs(value) >= 100
    ? Math.round(value).toLocaleString('en')
    : String(Number(value.toPrecision(3)));
}
