import type { MachineDescription } from '../measure/describe-machine.ts';
import type { ScenarioResult, Target } from '../scenarios/scenario.ts';
import type { BenchReport } from './bench-report.ts';
import type { Comparison, ComparisonRow } from './compare-forms.ts';
import { comparisonCells, comparisonHead } from './comparison-text.ts';
import { barChart, lineChart } from './svg-chart.ts';

const style = `
  :root { color-scheme: light dark; --ink: #1d2733; --soft: #5d6b7a; --line: #d5dce3; --paper: #fff; --mark: #1f6f8b; }
  @media (prefers-color-scheme: dark) { :root { --ink: #e4eaf0; --soft: #9aa7b4; --line: #36424e; --paper: #161c22; --mark: #58b4d1; } }
  body { margin: 2rem auto; max-width: 64rem; padding: 0 1rem; font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
  h1 { font-size: 1.5rem; margin-bottom: .25rem } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem }
  p { margin: .25rem 0; color: var(--soft) } table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
  th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line) } td.number, th.number { text-align: right }
  .plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(26rem, 1fr)); gap: 1rem } svg { width: 100%; height: auto }
  .missed { color: #b3261e; font-weight: 600 } .holds { color: #2b7a3d; font-weight: 600 }
  h3 { font-size: 1rem; margin: 1.5rem 0 .25rem } .wide { overflow-x: auto } .wide th, .wide td { white-space: nowrap; font-size: .85rem }
`;

/** The report as one HTML page that needs nothing beside it: tables, and plots as inline SVG. */
export function renderHtml(report: BenchReport): string {
  const { results } = report;
  const targets = results.flatMap(result => result.targets);
  return page(
    report,
    `Load test: ${report.form}`,
    `${targets.length > 0 ? `<h2>Targets</h2>${targetTable(targets)}` : ''}
<h2>Scenarios</h2>${scenarioTable(results)}
<div class="plots">
${barChart(
  'Throughput, units a second',
  results.map(({ name, units, seconds }) => ({ label: name, value: units / seconds })),
)}
${lineChart(
  'Latency by percentile, ms',
  results.flatMap(({ name, latencies }) => (latencies ? [{ label: name, values: latencies.curve }] : [])),
)}
${results.map(result => barChart(`CPU µs a ${result.unit}: ${result.name}`, parts(result.cpuMicrosPerUnit))).join('\n')}
${barChart('Memory at the end, MB', memory(results))}
</div>`,
  );
}

/** The comparison of both forms as a page of the same kind: a row for each scenario, and where the CPU time goes. */
export function renderComparisonHtml({ rows, distributed }: Comparison): string {
  const plots = rows.map(row => barChart(`CPU µs a ${row.unit}: ${row.name}`, serviceBars(row)));
  return page(
    distributed,
    'Load test: both forms',
    `<p>Ratios are to the CPU time of the standalone form.</p>
${htmlTable(comparisonHead, rows.map(comparisonCells))}
<div class="plots">${plots.join('\n')}</div>`,
  );
}

function serviceBars({ standaloneMicros, byService }: ComparisonRow) {
  return [{ label: 'standalone', value: standaloneMicros }, ...parts(byService)];
}

/** A table whose cells but the first of each row are numbers. */
export function htmlTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (tag: 'th' | 'td', cells: readonly string[]): string => {
    const written = cells.map(
      (cell, column) => `<${tag}${column > 0 ? ' class="number"' : ''}>${escapeHtml(cell)}</${tag}>`,
    );
    return `<tr>${written.join('')}</tr>`;
  };
  return `<table>${line('th', head)}${rows.map(row => line('td', row)).join('')}</table>`;
}

function page(report: BenchReport, title: string, content: string): string {
  const settings = Object.entries(report.settings).map(([key, value]) => `${key} ${value}`);
  return htmlPage({ ...report, title, about: settings.join(' · '), content });
}

/** A page that needs nothing beside it. `content` is HTML, the rest is text. */
export function htmlPage(options: {
  readonly title: string;
  readonly startedAt: string;
  readonly machine: MachineDescription;
  readonly about: string;
  readonly content: string;
}): string {
  const { title, startedAt, machine, about, content } = options;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Binnacle load test</title><style>${style}</style></head><body>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(startedAt)} · ${machine.cores} cores · ${escapeHtml(machine.cpu)} · Node ${escapeHtml(machine.node)}</p>
<p>${escapeHtml(about)}</p>
<p>One machine runs the servers and the load: compare ratios and CPU a unit of work, not absolute times.</p>
${content}
</body></html>
`;
}

function parts(values: Readonly<Record<string, number>>) {
  return Object.entries(values)
    .filter(([, value]) => value > 0)
    .map(([label, value]) => ({ label, value }));
}

function memory(results: readonly ScenarioResult[]) {
  return parts(results.at(-1)?.residentBytes ?? {}).map(({ label, value }) => ({
    label,
    value: value / 1e6,
  }));
}

function targetTable(targets: readonly Target[]): string {
  const rows = targets.map(({ what, unit, limit, measured }) => {
    const verdict = measured <= limit ? 'holds' : 'missed';
    return `<tr><td>${escapeHtml(what)}</td><td class="number">${measured.toFixed(2)} ${unit}</td><td class="number">${limit} ${unit}</td><td class="${verdict}">${verdict}</td></tr>`;
  });
  return `<table><tr><th>what</th><th class="number">measured</th><th class="number">at most</th><th></th></tr>${rows.join('')}</table>`;
}

function scenarioTable(results: readonly ScenarioResult[]): string {
  const rows = results.map(result => {
    const { latencies, failures } = result;
    const cells = [
      (result.units / result.seconds).toFixed(0),
      ...[latencies?.p50, latencies?.p90, latencies?.p99, latencies?.max].map(
        value => value?.toFixed(2) ?? '–',
      ),
    ];
    const parameters = Object.entries(result.parameters).map(([key, value]) => `${key} ${value}`);
    const failed = Object.entries(failures).map(([what, count]) => `${count} × ${what}`);
    return `<tr><td>${escapeHtml(result.name)}</td>${cells.map(cell => `<td class="number">${cell}</td>`).join('')}<td>${escapeHtml([...parameters, ...failed].join(', '))}</td></tr>`;
  });
  const head = ['units/s', 'p50 ms', 'p90 ms', 'p99 ms', 'max ms'].map(
    text => `<th class="number">${text}</th>`,
  );
  return `<table><tr><th>scenario</th>${head.join('')}<th>with</th></tr>${rows.join('')}</table>`;
}

/** Text as HTML. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
