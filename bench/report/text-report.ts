import type { ScenarioResult } from '../scenarios/scenario.ts';
import type { BenchReport } from './bench-report.ts';
import { textTable } from './text-table.ts';

/** The report as lines for a terminal: a table of the scenarios, and the targets with what was measured beside them. */
export function renderText(report: BenchReport): string {
  const rows = [
    ['scenario', 'units/s', 'p50 ms', 'p99 ms', 'CPU µs a unit'],
    ...report.results.map(result => [
      result.name,
      (result.units / result.seconds).toFixed(0),
      result.latencies?.p50.toFixed(2) ?? '–',
      result.latencies?.p99.toFixed(2) ?? '–',
      cpuText(result),
    ]),
  ];
  const failures = report.results.flatMap(({ name, failures: found }) =>
    Object.entries(found).map(([what, count]) => `${name}: ${count} × ${what}`),
  );
  const targets = report.results.flatMap(({ targets: of }) => of);
  const verdicts = targets.map(
    ({ what, unit, limit, measured }) =>
      `${measured <= limit ? 'holds ' : 'MISSED'}  ${what}: ${measured.toFixed(2)} ${unit} (at most ${limit})`,
  );
  return [
    `${report.form}, ${report.machine.cores} cores, ${report.machine.cpu}`,
    '',
    ...textTable(rows),
    ...(failures.length > 0 ? ['', 'Answers that were no success:', ...failures] : []),
    ...(verdicts.length > 0 ? ['', 'Targets:', ...verdicts] : []),
    '',
  ].join('\n');
}

function cpuText({ cpuMicrosPerUnit }: ScenarioResult): string {
  return Object.entries(cpuMicrosPerUnit)
    .filter(([, micros]) => micros >= 0.05)
    .map(([name, micros]) => `${name} ${micros.toFixed(1)}`)
    .join(', ');
}
