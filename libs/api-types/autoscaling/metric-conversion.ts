import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { asObject, asText } from '../values/json-access.ts';

/**
 * The two forms of a metric, v1 and v2, for each kind of source. v1 lays a metric's name, selector and figures
 * side by side and leaves the type of the target to be guessed from which figures there are.
 */

type Source = 'object' | 'pods' | 'resource' | 'containerResource' | 'external';

/** The metric of a v1 annotation as v2 writes it. */
export function metricFromV1(metric: JsonObject): JsonObject {
  return eachSource(metric, (source, facts) => {
    const { value, averageValue, averageUtilization } = targetFiguresOfV1(source, facts);
    const type =
      averageUtilization !== undefined
        ? 'Utilization'
        : averageValue !== undefined || value === undefined
          ? 'AverageValue'
          : 'Value';
    return {
      ...identityFromV1(source, facts),
      target: present({ type, value, averageValue, averageUtilization }),
    };
  });
}

/** A v2 metric as v1 writes it in an annotation. */
export function metricToV1(metric: JsonObject): JsonObject {
  return eachSource(metric, (source, facts) => {
    const { value, averageValue, averageUtilization } = asObject(facts['target']) ?? {};
    const identity = identityToV1(source, facts);
    if (source === 'object') return present({ ...identity, targetValue: value ?? '0', averageValue });
    return present({
      ...identity,
      ...(source === 'external' && { targetValue: value }),
      targetAverageValue: averageValue,
      ...(isOfResource(source) && { targetAverageUtilization: averageUtilization }),
    });
  });
}

/** The observed metric of a v1 annotation as v2 writes it. */
export function metricStatusFromV1(metric: JsonObject): JsonObject {
  return eachSource(metric, (source, facts) => ({
    ...identityFromV1(source, facts),
    current: present({
      value: facts['currentValue'],
      averageValue: facts[source === 'object' ? 'averageValue' : 'currentAverageValue'],
      averageUtilization: facts['currentAverageUtilization'],
    }),
  }));
}

/** An observed v2 metric as v1 writes it in an annotation. */
export function metricStatusToV1(metric: JsonObject): JsonObject {
  return eachSource(metric, (source, facts) => {
    const { value, averageValue, averageUtilization } = asObject(facts['current']) ?? {};
    return present({
      ...identityToV1(source, facts),
      ...((source === 'object' || source === 'external') && { currentValue: value }),
      [source === 'object' ? 'averageValue' : 'currentAverageValue']: averageValue,
      ...(isOfResource(source) && { currentAverageUtilization: averageUtilization }),
    });
  });
}

function eachSource(
  metric: JsonObject,
  convert: (source: Source, facts: JsonObject) => JsonObject,
): JsonObject {
  const converted: JsonObject = { type: asText(metric['type']) };
  for (const source of ['object', 'pods', 'resource', 'containerResource', 'external'] as const) {
    const facts = asObject(metric[source]);
    if (facts) converted[source] = convert(source, facts);
  }
  return converted;
}

function isOfResource(source: Source): boolean {
  return source === 'resource' || source === 'containerResource';
}

/** v1 cannot leave out the value of an object's metric, and writes 0 for it. */
function targetFiguresOfV1(source: Source, facts: JsonObject) {
  const averageValue = facts[source === 'object' ? 'averageValue' : 'targetAverageValue'];
  const value = facts['targetValue'];
  const isLeftOut = source === 'object' && averageValue !== undefined && value === '0';
  return {
    value: isLeftOut ? undefined : value,
    averageValue,
    averageUtilization: facts['targetAverageUtilization'],
  };
}

function identityFromV1(source: Source, facts: JsonObject): JsonObject {
  if (isOfResource(source)) return present({ name: facts['name'], container: facts['container'] });
  const selector = facts[source === 'external' ? 'metricSelector' : 'selector'];
  return present({
    ...(source === 'object' && { describedObject: facts['target'] }),
    metric: present({ name: facts['metricName'], selector }),
  });
}

function identityToV1(source: Source, facts: JsonObject): JsonObject {
  if (isOfResource(source)) return present({ name: facts['name'], container: facts['container'] });
  const { name, selector } = asObject(facts['metric']) ?? {};
  return present({
    ...(source === 'object' && { target: facts['describedObject'] }),
    metricName: name,
    [source === 'external' ? 'metricSelector' : 'selector']: selector,
  });
}

function present(fields: Record<string, JsonValue | undefined>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );
}
