import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
  tryParseQuantity,
} from '@binnacle/api-objects';
import type { MetricIdentifier, MetricSpec, MetricTarget } from '../generated/autoscaling/v2.ts';
import type { MetricSource, SourceFacts } from './metric-conversion.ts';
import { pathSegmentErrors, targetObjectErrors } from './target-object-validation.ts';

/** The field of each metric type, in the order in which kube-apiserver validates them. */
export const metricSources: ReadonlyMap<string, MetricSource> = new Map([
  ['Object', 'object'],
  ['External', 'external'],
  ['Pods', 'pods'],
  ['Resource', 'resource'],
  ['ContainerResource', 'containerResource'],
]);
const targetTypes = ['Utilization', 'Value', 'AverageValue'];

/** Validates one metric: it must have the source of its type and no other. */
export function metricErrors(metric: MetricSpec, path: FieldPath): FieldError[] {
  const type = metric.type ?? '';
  const type$ = path.child('type');
  const expected = metricSources.get(type);
  const present = [...metricSources.values()].filter(source => metric[source]);
  const [first] = present;
  return [
    ...(type === '' ? [requiredField(type$, 'must specify a metric source type')] : []),
    ...(expected === undefined ? [notSupportedField(type$, type, [...metricSources.keys()].sort())] : []),
    ...(first === undefined ? [] : sourceErrors(first, metric[first] ?? {}, path.child(first))),
    ...(expected === undefined || present.includes(expected)
      ? []
      : [requiredField(path.child(expected), 'must populate information for the given metric source')]),
    // A single source of a wrong type is reported only once.
    ...(present.length > 1 ? present.filter(source => source !== expected) : []).map(source =>
      forbiddenField(path.child(source), 'must populate the given metric source only'),
    ),
  ];
}

function sourceErrors(source: MetricSource, facts: SourceFacts, path: FieldPath): FieldError[] {
  const target = facts.target ?? {};
  const at = path.child('target');
  const targetErrors = figureErrors(target, at);
  switch (source) {
    case 'object':
      return [
        ...targetObjectErrors(facts.describedObject ?? {}, path.child('describedObject')),
        ...identifierErrors(facts.metric ?? {}, path.child('metric')),
        ...targetErrors,
        ...oneOfErrors(target, ['value', 'averageValue'], at),
      ];
    case 'external':
      return [
        ...identifierErrors(facts.metric ?? {}, path.child('metric')),
        ...targetErrors,
        ...oneOfErrors(target, ['value', 'averageValue'], at),
        ...notBothErrors(target, ['averageValue', 'value'], at),
      ];
    case 'pods':
      return [
        ...identifierErrors(facts.metric ?? {}, path.child('metric')),
        ...targetErrors,
        ...(isPositive(target.averageValue)
          ? []
          : [requiredField(at.child('averageValue'), 'must specify a positive target averageValue')]),
      ];
    default:
      return [
        ...requiredNames(facts, source === 'containerResource' ? ['name', 'container'] : ['name'], path),
        ...targetErrors,
        ...oneOfErrors(target, ['averageValue', 'averageUtilization'], at),
        ...notBothErrors(target, ['averageUtilization', 'averageValue'], at),
      ];
  }
}

function requiredNames(
  facts: SourceFacts,
  fields: readonly ('name' | 'container')[],
  path: FieldPath,
): FieldError[] {
  return fields.filter(field => (facts[field] ?? '') === '').map(field => requiredField(path.child(field)));
}

function identifierErrors({ name = '' }: MetricIdentifier, path: FieldPath): FieldError[] {
  return pathSegmentErrors(name, path.child('name'));
}

function figureErrors(target: MetricTarget, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const type = target.type ?? '';
  if (type === '') errors.push(requiredField(path.child('type'), 'must specify a metric target type'));
  if (!targetTypes.includes(type))
    errors.push(invalidField(path.child('type'), type, 'must be either Utilization, Value, or AverageValue'));
  for (const field of ['value', 'averageValue'] as const) {
    const value = target[field];
    if (value !== undefined && !isPositive(value))
      errors.push(invalidField(path.child(field), value, 'must be positive'));
  }
  const utilization = target.averageUtilization;
  if (typeof utilization === 'number' && utilization < 1)
    errors.push(invalidField(path.child('averageUtilization'), utilization, 'must be greater than 0'));
  return errors;
}

type Pair = readonly [first: keyof MetricTarget, second: keyof MetricTarget];

function oneOfErrors(target: MetricTarget, [first, second]: Pair, path: FieldPath): FieldError[] {
  if (target[first] !== undefined || target[second] !== undefined) return [];
  return [requiredField(path.child(second), `must set either ${first} or ${second}`)];
}

function notBothErrors(target: MetricTarget, [first, second]: Pair, path: FieldPath): FieldError[] {
  if (target[first] === undefined || target[second] === undefined) return [];
  return [forbiddenField(path.child(second), `may not set both ${first} and ${second}`)];
}

function isPositive(value: string | undefined): boolean {
  const quantity = tryParseQuantity(value ?? '');
  return quantity !== undefined && quantity.nanos > 0n;
}
