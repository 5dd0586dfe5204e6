import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidField,
  type JsonObject,
  type JsonValue,
  notSupportedField,
  requiredField,
  tryParseQuantity,
} from '@binnacle/api-objects';
import { optionalSelectorErrors } from '../core/selectors/label-selector-validation.ts';
import { asObject, asText } from '../values/json-access.ts';
import { pathSegmentErrors, targetObjectErrors } from './target-object-validation.ts';

/** The field that goes with each type of metric. */
const sources: Readonly<Record<string, string>> = {
  ContainerResource: 'containerResource',
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
};
const targetTypes = ['Utilization', 'Value', 'AverageValue'];

/** The findings about one metric: the source that its type names and no other. */
export function metricErrors(metric: JsonObject, path: FieldPath): FieldError[] {
  const type = asText(metric['type']);
  const errors: FieldError[] = [];
  if (type === '') errors.push(requiredField(path.child('type'), 'must specify a metric source type'));
  else if (!Object.hasOwn(sources, type))
    errors.push(notSupportedField(path.child('type'), type, Object.keys(sources)));
  const expected = sources[type];
  const present = Object.values(sources).filter(source => asObject(metric[source]) !== undefined);
  const [first] = present;
  if (first !== undefined)
    errors.push(...sourceErrors(first, asObject(metric[first]) ?? {}, path.child(first)));
  if (expected !== undefined && !present.includes(expected))
    errors.push(requiredField(path.child(expected), 'must populate information for the given metric source'));
  if (present.length > 1 || (present.length === 1 && first !== expected))
    for (const source of present)
      if (source !== expected)
        errors.push(forbiddenField(path.child(source), 'must populate the given metric source only'));
  return errors;
}

function sourceErrors(source: string, facts: JsonObject, path: FieldPath): FieldError[] {
  const target = asObject(facts['target']) ?? {};
  const at = path.child('target');
  const targetErrors = figureErrors(target, at);
  switch (source) {
    case 'object':
      return [
        ...targetObjectErrors(asObject(facts['describedObject']) ?? {}, path.child('describedObject')),
        ...identifierErrors(facts, path),
        ...targetErrors,
        ...oneOfErrors(target, ['value', 'averageValue'], at),
      ];
    case 'external':
      return [
        ...identifierErrors(facts, path),
        ...targetErrors,
        ...oneOfErrors(target, ['value', 'averageValue'], at),
        ...notBothErrors(target, ['averageValue', 'value'], at),
      ];
    case 'pods':
      return [
        ...identifierErrors(facts, path),
        ...targetErrors,
        ...(isPositive(target['averageValue'])
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

function requiredNames(facts: JsonObject, fields: readonly string[], path: FieldPath): FieldError[] {
  return fields.filter(field => asText(facts[field]) === '').map(field => requiredField(path.child(field)));
}

function identifierErrors(facts: JsonObject, path: FieldPath): FieldError[] {
  const metric = asObject(facts['metric']) ?? {};
  const at = path.child('metric');
  return [
    ...pathSegmentErrors(metric, 'name', at),
    ...optionalSelectorErrors(metric['selector'], at.child('selector')),
  ];
}

function figureErrors(target: JsonObject, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const type = asText(target['type']);
  if (type === '') errors.push(requiredField(path.child('type'), 'must specify a metric target type'));
  else if (!targetTypes.includes(type))
    errors.push(invalidField(path.child('type'), type, 'must be either Utilization, Value, or AverageValue'));
  for (const field of ['value', 'averageValue'])
    if (target[field] !== undefined && !isPositive(target[field]))
      errors.push(invalidField(path.child(field), target[field], 'must be positive'));
  const utilization = target['averageUtilization'];
  if (typeof utilization === 'number' && utilization < 1)
    errors.push(invalidField(path.child('averageUtilization'), utilization, 'must be greater than 0'));
  return errors;
}

type Pair = readonly [first: string, second: string];

function oneOfErrors(target: JsonObject, [first, second]: Pair, path: FieldPath): FieldError[] {
  if (target[first] !== undefined || target[second] !== undefined) return [];
  return [requiredField(path.child(second), `must set either ${first} or ${second}`)];
}

function notBothErrors(target: JsonObject, [first, second]: Pair, path: FieldPath): FieldError[] {
  if (target[first] === undefined || target[second] === undefined) return [];
  return [forbiddenField(path.child(second), `may not set both ${first} and ${second}`)];
}

function isPositive(value: JsonValue | undefined): boolean {
  const quantity = tryParseQuantity(typeof value === 'number' ? String(value) : asText(value));
  return quantity !== undefined && quantity.nanos > 0n;
}
