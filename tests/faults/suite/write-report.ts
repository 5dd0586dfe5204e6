import type { FaultRecord, HistoryRecord, Violation } from '@binnacle/binnaclectl/testing';
import type { RequestNote } from './recording/recorder.ts';
import type { SuiteResult } from './run-suite.ts';

const width = 1100;
const plotHeight = 180;
const faultHeight = 14;
const maxViolations = 100;
/** Records shown before and after one that a violation names. */
const neighbours = 5;

/** The report of a run: one page without anything from elsewhere. */
export function writeReport(result: SuiteResult, repeatCommand: string): string {
  const { seed, verdict, records, requests, failures } = result;
  const end = Math.max(1, ...requests.map(({ at }) => at));
  const faults = records.filter(record => record.kind === 'fault');
  const title = `Faults with seed ${seed}: ${verdict.violations.length} violations`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title><style>
body { font: 14px sans-serif; margin: 2em; max-width: ${width}px; } pre { background: #f4f4f4; padding: .6em; overflow-x: auto; }
td, th { text-align: left; padding: .15em 1em .15em 0; } .bad { color: #b00; } svg text { font-size: 11px; }
</style></head><body>
<h1${verdict.violations.length > 0 ? ' class="bad"' : ''}>${escaped(title)}</h1>
<p>Repeat with <code>${escaped(repeatCommand)}</code></p>
${summary(result, end)}
<h2>Faults, latencies and errors</h2>
${timeline(faults, requests, end)}
${violationSection(verdict.violations, records)}
${renderList('Not decided in the time for searching', verdict.undecided)}
${renderList('Failures of the run itself', failures)}
<h2>Faults</h2>
<table><tr><th>from</th><th>to</th><th>what</th></tr>
${faults.map(({ start, end: until, what }) => row([seconds(start), seconds(until), what])).join('\n')}
</table></body></html>
`;
}

function summary({ verdict, requests }: SuiteResult, end: number): string {
  const { counts } = verdict;
  const codes = [...Map.groupBy(requests, ({ code }) => code)].toSorted(([a], [b]) => a - b);
  const rows: [string, string | number][] = [
    ['duration', seconds(end)],
    ['acknowledged writes', counts.acknowledgedWrites],
    ['refused writes', counts.refusedWrites],
    ['writes of unknown outcome', counts.unknownWrites],
    ['reads', counts.reads],
    ['lists', counts.lists],
    ['watches', `${counts.watches} of ${counts.watchers} watchers, ${counts.events} events`],
    ['objects checked by version', counts.checkedByVersion],
    ['objects checked by search', counts.searched],
    ['answers', codes.map(([code, { length }]) => `${code === 0 ? 'none' : code}: ${length}`).join(', ')],
    ['latency', latencyText(requests)],
  ];
  return `<table>${rows.map(([name, value]) => row([name, String(value)])).join('\n')}</table>`;
}

function latencyText(requests: readonly RequestNote[]): string {
  const sorted = requests.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const at = (part: number) => Math.round(sorted[Math.floor(part * (sorted.length - 1))] ?? 0);
  return `median ${at(0.5)} ms, 99% ${at(0.99)} ms, longest ${at(1)} ms`;
}

/** A drawing: bars of faults, above them the longest latency of each second, below them errors of each second. */
function timeline(faults: readonly FaultRecord[], requests: readonly RequestNote[], end: number): string {
  const x = (time: number) => ((time / end) * width).toFixed(1);
  const bySecond = [...Map.groupBy(requests, ({ at }) => Math.floor(at / 1000))];
  const longest = Math.max(1000, ...requests.map(({ ms }) => ms));
  const points = bySecond
    .toSorted(([a], [b]) => a - b)
    .map(([second, notes]) => {
      const most = Math.max(...notes.map(({ ms }) => ms));
      return `${x(second * 1000)},${(plotHeight - (most / longest) * plotHeight).toFixed(1)}`;
    });
  const top = plotHeight + 10;
  const bars = faults.map(({ start, end: until, what }, index) => {
    const y = top + (index % 4) * faultHeight;
    const bar = `<rect x="${x(start)}" y="${y}" width="${x(Math.max(until - start, 1))}" height="${faultHeight - 2}" fill="#fa6"/>`;
    return `<g><title>${escaped(`${what}, ${seconds(start)} to ${seconds(until)}`)}</title>${bar}<text x="${x(start)}" y="${y + 10}">${escaped(what)}</text></g>`;
  });
  const errorTop = top + 4 * faultHeight + 10;
  const errors = bySecond.map(([second, notes]) => {
    const failed = notes.filter(({ code }) => code === 0 || code >= 500);
    if (failed.length === 0) return '';
    const height = Math.min(80, failed.length);
    const codes = [...new Set(failed.map(({ code }) => code))].join(', ');
    return `<rect x="${x(second * 1000)}" y="${errorTop + 80 - height}" width="${x(1000)}" height="${height}" fill="#c33"><title>${failed.length} errors at ${second} s: ${codes}</title></rect>`;
  });
  return `<svg width="${width}" height="${errorTop + 100}" role="img">
<text x="4" y="12">longest latency of each second, up to ${seconds(longest)}</text>
<polyline points="${points.join(' ')}" fill="none" stroke="#269"/>
${bars.join('\n')}
${errors.join('')}
<text x="4" y="${errorTop + 95}">answers of 500 and above, and none (0), by second</text></svg>`;
}

function violationSection(violations: readonly Violation[], records: readonly HistoryRecord[]): string {
  if (violations.length === 0) return '<h2>Violations</h2><p>None.</p>';
  const shown = violations.slice(0, maxViolations).map(({ check, message, records: named }) => {
    const indices = named.map(record => records.indexOf(record)).filter(index => index >= 0);
    const around = new Set(indices.flatMap(index => range(index - neighbours, index + neighbours)));
    const lines = [...around]
      .filter(index => index >= 0 && index < records.length)
      .toSorted((a, b) => a - b)
      .map(index => `${indices.includes(index) ? '>' : ' '} ${JSON.stringify(records[index]).slice(0, 600)}`);
    return `<h3 class="bad">${escaped(`${check}: ${message}`)}</h3><pre>${escaped(lines.join('\n'))}</pre>`;
  });
  const more = violations.length - shown.length;
  return `<h2>Violations</h2>${shown.join('\n')}${more > 0 ? `<p>And ${more} more.</p>` : ''}`;
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function renderList(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  return `<h2>${escaped(title)}</h2><pre>${escaped(lines.slice(0, maxViolations).join('\n'))}</pre>`;
}

function row(cells: readonly string[]): string {
  return `<tr>${cells.map(cell => `<td>${escaped(cell)}</td>`).join('')}</tr>`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
