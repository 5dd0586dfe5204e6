import type { Comparison, ComparisonRow } from './compare-forms.ts';
import { textTable } from './text-table.ts';

/** A comparison as lines for a terminal: a row for each scenario, then where the CPU time of the distributed form goes. */
export function renderComparisonText({ rows, distributed }: Comparison): string {
  return [
    `standalone beside distributed, ${distributed.machine.cores} cores, ${distributed.machine.cpu}`,
    '',
    ...textTable([comparisonHead, ...rows.map(comparisonCells)]),
    '',
    'CPU µs a unit in the distributed form:',
    ...textTable(rows.map(row => [row.name, serviceText(row)])),
    '',
  ].join('\n');
}

/** The heads of the columns of a comparison. */
export const comparisonHead = [
  'scenario',
  'standalone µs',
  'distributed µs',
  'ratio',
  'etcd',
  'kafka',
  'standalone/s',
  'distributed/s',
] as const;

/** The cells of one row of a comparison, as texts. */
export function comparisonCells(row: ComparisonRow): string[] {
  const { etcd = 0, kafka = 0 } = row.backends;
  return [
    row.name,
    row.standaloneMicros.toFixed(1),
    row.distributedMicros.toFixed(1),
    row.ratio.toFixed(2),
    etcd.toFixed(2),
    kafka.toFixed(2),
    row.standaloneRate.toFixed(0),
    row.distributedRate.toFixed(0),
  ];
}

function serviceText({ byService }: ComparisonRow): string {
  return Object.entries(byService)
    .filter(([, micros]) => micros >= 0.05)
    .map(([name, micros]) => `${name} ${micros.toFixed(1)}`)
    .join(', ');
}
