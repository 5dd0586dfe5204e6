import type {
  ContainerResourceMetricSource as ContainerResourceSourceV1,
  ContainerResourceMetricStatus as ContainerResourceStatusV1,
  ExternalMetricSource as ExternalSourceV1,
  ExternalMetricStatus as ExternalStatusV1,
  MetricSpec as MetricSpecV1,
  MetricStatus as MetricStatusV1,
  ObjectMetricSource as ObjectSourceV1,
  ObjectMetricStatus as ObjectStatusV1,
  PodsMetricSource as PodsSourceV1,
  PodsMetricStatus as PodsStatusV1,
  ResourceMetricSource as ResourceSourceV1,
  ResourceMetricStatus as ResourceStatusV1,
} from '../generated/autoscaling/v1.ts';
import type {
  ContainerResourceMetricSource,
  ContainerResourceMetricStatus,
  ExternalMetricSource,
  ExternalMetricStatus,
  MetricSpec,
  MetricStatus,
  ObjectMetricSource,
  ObjectMetricStatus,
  PodsMetricSource,
  PodsMetricStatus,
  ResourceMetricSource,
  ResourceMetricStatus,
} from '../generated/autoscaling/v2.ts';

/**
 * The v1 and v2 forms of a metric, for each kind of source. In v1 a metric's name, selector and values are adjacent fields, and
 * the target type follows from which values are present.
 */

const sources = ['object', 'pods', 'resource', 'containerResource', 'external'] as const;

/** The field of a metric source. */
export type MetricSource = (typeof sources)[number];
type Sourced<Facts> = { type?: string } & { [source in MetricSource]?: Facts };

/** The fields of all metric sources; each source has a subset. */
type SourceFactsV1 = ObjectSourceV1 &
  PodsSourceV1 &
  ResourceSourceV1 &
  ContainerResourceSourceV1 &
  ExternalSourceV1;
type ObservedFactsV1 = ObjectStatusV1 &
  PodsStatusV1 &
  ResourceStatusV1 &
  ContainerResourceStatusV1 &
  ExternalStatusV1;
/** The fields of all metric sources in version v2. */
export type SourceFacts = ObjectMetricSource &
  PodsMetricSource &
  ResourceMetricSource &
  ContainerResourceMetricSource &
  ExternalMetricSource;
type ObservedFacts = ObjectMetricStatus &
  PodsMetricStatus &
  ResourceMetricStatus &
  ContainerResourceMetricStatus &
  ExternalMetricStatus;

/** Converts a metric of a v1 annotation to v2. */
export function metricFromV1(metric: MetricSpecV1): MetricSpec {
  return eachSource(metric, (source, facts: SourceFactsV1): SourceFacts => {
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

/** Converts a v2 metric to its v1 annotation form. */
export function metricToV1(metric: MetricSpec): Sourced<SourceFactsV1> {
  return eachSource(metric, (source, facts: SourceFacts): SourceFactsV1 => {
    const { value, averageValue, averageUtilization } = facts.target ?? {};
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

/** Converts a current metric of a v1 annotation to v2. */
export function metricStatusFromV1(metric: MetricStatusV1): MetricStatus {
  return eachSource(
    metric,
    (source, facts: ObservedFactsV1): ObservedFacts => ({
      ...identityFromV1(source, facts),
      current: present({
        value: facts.currentValue,
        averageValue: source === 'object' ? facts.averageValue : facts.currentAverageValue,
        averageUtilization: facts.currentAverageUtilization,
      }),
    }),
  );
}

/** Converts a v2 current metric to its v1 annotation form. */
export function metricStatusToV1(metric: MetricStatus): Sourced<ObservedFactsV1> {
  return eachSource(metric, (source, facts: ObservedFacts): ObservedFactsV1 => {
    const { value, averageValue, averageUtilization } = facts.current ?? {};
    return present({
      ...identityToV1(source, facts),
      ...((source === 'object' || source === 'external') && { currentValue: value }),
      ...(source === 'object' ? { averageValue } : { currentAverageValue: averageValue }),
      ...(isOfResource(source) && { currentAverageUtilization: averageUtilization }),
    });
  });
}

function eachSource<From, To>(
  metric: Sourced<NoInfer<From>>,
  convert: (source: MetricSource, facts: From) => To,
): Sourced<To> {
  const converted: Sourced<To> = { type: metric.type ?? '' };
  for (const source of sources) {
    const facts = metric[source];
    if (facts) converted[source] = convert(source, facts);
  }
  return converted;
}

function isOfResource(source: MetricSource): boolean {
  return source === 'resource' || source === 'containerResource';
}

/** v1 requires a value for object metrics; 0 means absent. */
function targetFiguresOfV1(source: MetricSource, facts: SourceFactsV1) {
  const averageValue = source === 'object' ? facts.averageValue : facts.targetAverageValue;
  const value = facts.targetValue;
  const isLeftOut = source === 'object' && averageValue !== undefined && value === '0';
  return {
    value: isLeftOut ? undefined : value,
    averageValue,
    averageUtilization: facts.targetAverageUtilization,
  };
}

function identityFromV1(
  source: MetricSource,
  facts: SourceFactsV1 | ObservedFactsV1,
): SourceFacts & ObservedFacts {
  if (isOfResource(source)) return present({ name: facts.name, container: facts.container });
  const selector = source === 'external' ? facts.metricSelector : facts.selector;
  return present({
    ...(source === 'object' && { describedObject: facts.target }),
    metric: present({ name: facts.metricName, selector }),
  });
}

function identityToV1(
  source: MetricSource,
  facts: SourceFacts | ObservedFacts,
): SourceFactsV1 & ObservedFactsV1 {
  if (isOfResource(source)) return present({ name: facts.name, container: facts.container });
  const { name, selector } = facts.metric ?? {};
  return present({
    ...(source === 'object' && { target: facts.describedObject }),
    metricName: name,
    ...(source === 'external' ? { metricSelector: selector } : { selector }),
  });
}

type Present<T> = { [key in keyof T]?: Exclude<T[key], undefined> };

function present<T extends object>(fields: T): Present<T> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Present<T>; // The defined entries of T.
}
