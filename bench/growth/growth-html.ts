import { escapeHtml, htmlPage, htmlTable } from '../report/html-report.ts';
import { type GrowthLine, growthChart } from '../report/svg-chart.ts';
import type { AxisResult, GrowthReport, WorkResult } from './growth-report.ts';
import {
  baseText,
  growthText,
  idleTable,
  memoryGrowthText,
  memoryTable,
  type Table,
  workTable,
} from './growth-tables.ts';

/** Processes in the plot of memory: those that take most. */
const plottedProcesses = 6;

/** The growth of cost as one HTML page that needs nothing beside it: a section for each axis, with tables and plots. */
export function renderGrowthHtml(report: GrowthReport): string {
  const { form, seconds, axes } = report;
  return htmlPage({
    ...report,
    title: `How cost grows: ${form}`,
    about: `${axes.length} axes in ${Math.round(seconds)} s. CPU of a unit of work is without what the processes take in the same time when there is no work; a ratio is to the first step. Hollow points and the column "limit" say where the load or the machine was the limit.`,
    content: axes.map(renderAxis).join('\n'),
  });
}

function renderAxis(axis: AxisResult): string {
  const works = axis.growth.map(({ work }) => work);
  const memoryText = memoryGrowthText(axis);
  return `<h2 id="${escapeHtml(axis.name)}">${escapeHtml(axis.name)}</h2>
<p>${escapeHtml(axis.description)} Held: ${escapeHtml(baseText(axis))}</p>
<ul>${axis.growth.map(growth => `<li class="${growth.isTooFast ? 'missed' : ''}">${escapeHtml(growthText(growth, axis.unit))}</li>`).join('')}</ul>
${axis.left.map(({ value, why }) => `<p class="missed">Step ${value} was not run: ${escapeHtml(why)}.</p>`).join('')}
${works.map(work => section(`${axis.name}, ${work}`, workTable(axis, work))).join('\n')}
${section(`${axis.name}, without work: thousandths of a processor`, idleTable(axis))}
${section(`${axis.name}, memory in MB: resident / heap / external`, memoryTable(axis))}
${memoryText === '' ? '' : `<p>${escapeHtml(memoryText)}</p>`}
<div class="plots">${plots(axis).join('\n')}</div>`;
}

function section(title: string, { head, rows }: Table): string {
  return `<h3>${escapeHtml(title)}</h3><div class="wide">${htmlTable(head, rows)}</div>`;
}

function plots(axis: AxisResult): string[] {
  const { steps, unit, growth } = axis;
  const createLine = (
    work: string,
    label: string,
    figure: (result: WorkResult) => number | undefined,
  ): GrowthLine => ({
    label,
    points: steps.flatMap(step =>
      step.works
        .filter(result => result.work === work)
        .map(result => ({ x: step.value, y: figure(result) ?? 0, isMarked: result.limits.length > 0 })),
    ),
  });
  const cost = growth.map(({ work }) => createLine(work, work, result => result.ownMicrosPerUnit));
  const latency = growth.flatMap(({ work }) => [
    createLine(
      work,
      `${work}, p50`,
      ({ deliveryLatencies, requestLatencies }) => (deliveryLatencies ?? requestLatencies)?.p50,
    ),
    createLine(
      work,
      `${work}, p99`,
      ({ deliveryLatencies, requestLatencies }) => (deliveryLatencies ?? requestLatencies)?.p99,
    ),
  ]);
  const last = steps.at(-1)?.memory ?? {};
  const largest = Object.keys(last)
    .toSorted((a, b) => (last[b]?.resident ?? 0) - (last[a]?.resident ?? 0))
    .slice(0, plottedProcesses);
  const memory = largest.map(process => ({
    label: process,
    points: steps.map(step => ({
      x: step.value,
      y: (step.memory[process]?.resident ?? 0) / 1e6,
      isMarked: false,
    })),
  }));
  return [
    growthChart('CPU µs a unit, own processes', unit, cost),
    growthChart('Latency, ms', unit, latency),
    growthChart('Resident memory, MB', unit, memory),
  ];
}
