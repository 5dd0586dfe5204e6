import type { MetricSpec, MetricStatus } from '../generated/autoscaling/v2.ts';
import { metricSources } from './metric-validation.ts';

const mostShown = 2;

/** The figures of the metrics, observed and desired, of the first two and how many more there are. */
export function metricsCell(metrics: readonly MetricSpec[], observed: readonly MetricStatus[]): string {
  if (metrics.length === 0) return '<none>';
  const shown = metrics.slice(0, mostShown).map((metric, index) => metricText(metric, observed[index]));
  const more = metrics.length - shown.length;
  return more > 0 ? `${shown.join(', ')} + ${more} more...` : shown.join(', ');
}

function metricText(metric: MetricSpec, observed: MetricStatus | undefined): string {
  const source = metricSources.get(metric.type ?? '');
  const target = (source && metric[source]?.target) ?? {};
  const current = (source && observed?.[source]?.current) ?? {};
  const figures = (field: 'value' | 'averageValue') =>
    `${current[field] || '<unknown>'}/${target[field] || '<unknown>'}`;
  switch (metric.type) {
    case 'External':
    case 'Object':
      return target.averageValue === undefined ? figures('value') : `${figures('averageValue')} (avg)`;
    case 'Pods':
      return figures('averageValue');
    case 'Resource':
    case 'ContainerResource':
      if (target.averageValue !== undefined) return figures('averageValue');
      return `${percent(current.averageUtilization, '<unknown>')}/${percent(target.averageUtilization, '<auto>')}`;
    default:
      return '<unknown type>';
  }
}

function percent(value: number | undefined, otherwise: string): string {
  return typeof value === 'number' ? `${value}%` : otherwise;
}
