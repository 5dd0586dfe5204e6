import type { JsonObject } from '@binnacle/api-objects';
import { asObject, asText } from '../values/json-access.ts';

const mostShown = 2;

/** The figures of the metrics, observed and desired, of the first two and how many more there are. */
export function metricsCell(metrics: readonly JsonObject[], observed: readonly JsonObject[]): string {
  if (metrics.length === 0) return '<none>';
  const shown = metrics.slice(0, mostShown).map((metric, index) => metricText(metric, observed[index]));
  const more = metrics.length - shown.length;
  return more > 0 ? `${shown.join(', ')} + ${more} more...` : shown.join(', ');
}

function metricText(metric: JsonObject, observed: JsonObject | undefined): string {
  const type = asText(metric['type']);
  const source = type.charAt(0).toLowerCase() + type.slice(1);
  const target = asObject(asObject(metric[source])?.['target']) ?? {};
  const current = asObject(asObject(observed?.[source])?.['current']) ?? {};
  const figures = (field: string) =>
    `${asText(current[field]) || '<unknown>'}/${asText(target[field]) || '<unknown>'}`;
  switch (type) {
    case 'External':
    case 'Object':
      return target['averageValue'] === undefined ? figures('value') : `${figures('averageValue')} (avg)`;
    case 'Pods':
      return figures('averageValue');
    case 'Resource':
    case 'ContainerResource':
      if (target['averageValue'] !== undefined) return figures('averageValue');
      return `${percent(current['averageUtilization'], '<unknown>')}/${percent(target['averageUtilization'], '<auto>')}`;
    default:
      return '<unknown type>';
  }
}

function percent(value: unknown, otherwise: string): string {
  return typeof value === 'number' ? `${value}%` : otherwise;
}
