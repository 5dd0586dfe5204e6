import { textTable } from '../report/text-table.ts';
import type { AxisResult, GrowthReport } from './growth-report.ts';
import { growthText, memoryGrowthText, workTable } from './growth-tables.ts';

/** The growth of cost as lines for a terminal: for each axis its works step by step, and how they grow. */
export function renderGrowthText({ form, machine, axes }: GrowthReport): string {
  return [`${form}, ${machine.cores} cores, ${machine.cpu}`, '', ...axes.flatMap(renderAxis)].join('\n');
}

function renderAxis(axis: AxisResult): string[] {
  const tables = axis.growth.flatMap(growth => {
    const { head, rows } = workTable(axis, growth.work);
    return [`${axis.name}: ${growthText(growth, axis.unit)}`, ...textTable([head, ...rows]), ''];
  });
  const left = axis.left.map(({ value, why }) => `${axis.name} ${value} was not run: ${why}`);
  const memory = memoryGrowthText(axis);
  return [...tables, ...left, ...(memory === '' ? [] : [memory, ''])];
}
