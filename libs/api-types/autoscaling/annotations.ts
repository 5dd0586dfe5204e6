import { type ApiObject, type JsonValue, readJson } from '@binnacle/api-objects';
import { messageNamed } from '../descriptors/messages.ts';
import type {
  HorizontalPodAutoscalerCondition as ConditionV1,
  MetricSpec as MetricSpecV1,
  MetricStatus as MetricStatusV1,
} from '../generated/autoscaling/v1.ts';
import type {
  HorizontalPodAutoscalerBehavior,
  MetricSpec,
  MetricStatus,
} from '../generated/autoscaling/v2.ts';
import { asObject } from '../values/json-access.ts';
import { isOfMessage } from './message-check.ts';

/**
 * The annotations in which version v1 carries what it has no fields for, as JSON. All but the exact metrics are understood
 * under the names that existing clients use too (`aliasName`), and are shown under both.
 */
export const annotations = {
  metrics: 'autoscaling.alpha.cluster.io/metrics',
  behavior: 'autoscaling.alpha.cluster.io/behavior',
  currentMetrics: 'autoscaling.alpha.cluster.io/current-metrics',
  conditions: 'autoscaling.alpha.cluster.io/conditions',
  /** The metrics as version v2 has them, where the others say less. */
  exact: 'autoscaling.alpha.cluster.io/v2-metrics',
} as const;

/** The name of one of these annotations. */
export type AnnotationName = (typeof annotations)[keyof typeof annotations];

/** The metrics of an autoscaler as version v2 has them. */
export type ExactMetrics = { metrics?: MetricSpec[]; currentMetrics?: MetricStatus[] };

/** What each annotation holds. */
export interface AnnotationValues {
  readonly [annotations.metrics]: MetricSpecV1[];
  readonly [annotations.behavior]: HorizontalPodAutoscalerBehavior;
  readonly [annotations.currentMetrics]: MetricStatusV1[];
  readonly [annotations.conditions]: ConditionV1[];
  readonly [annotations.exact]: ExactMetrics;
}

/** Those that stand for the desired state. */
export const specAnnotations: readonly string[] = [annotations.metrics, annotations.behavior];

/** Those that stand for the observed state. */
export const statusAnnotations: readonly string[] = [annotations.currentMetrics, annotations.conditions];

const packages = 'autoscaling';

/** Whether a value is what an annotation is to hold: its content becomes fields, which have types. */
const checks: Readonly<Record<AnnotationName, (value: JsonValue) => boolean>> = {
  [annotations.metrics]: value => isListOf('v1.MetricSpec', value),
  [annotations.behavior]: value => isMessage('v2.HorizontalPodAutoscalerBehavior', value),
  [annotations.currentMetrics]: value => isListOf('v1.MetricStatus', value),
  [annotations.conditions]: value => isListOf('v1.HorizontalPodAutoscalerCondition', value),
  [annotations.exact]: value => {
    const { metrics = [], currentMetrics = [] } = { ...asObject(value) };
    return isListOf('v2.MetricSpec', metrics) && isListOf('v2.MetricStatus', currentMetrics);
  },
};

function isMessage(name: string, value: JsonValue): boolean {
  return isOfMessage(messageNamed(`${packages}.${name}`), value);
}

function isListOf(name: string, value: JsonValue): boolean {
  return Array.isArray(value) && value.every(element => isMessage(name, element));
}

/** The name that existing clients use for an annotation. */
function aliasName(name: string): string {
  return name.replace('.cluster.io/', '.kubernetes.io/');
}

function bothNames(names: readonly string[]): string[] {
  return names.flatMap(name => (name === annotations.exact ? [name] : [name, aliasName(name)]));
}

/** The value of an annotation; undefined when there is none, when it is no JSON, or not of the right types. */
export function readAnnotation<N extends AnnotationName>(
  object: ApiObject,
  name: N,
): AnnotationValues[N] | undefined {
  for (const key of bothNames([name])) {
    const value = valueFrom(object.metadata.annotations?.[key], name);
    if (value !== undefined) return value;
  }
  return undefined;
}

function valueFrom<N extends AnnotationName>(
  text: string | undefined,
  name: N,
): AnnotationValues[N] | undefined {
  if (text === undefined) return undefined;
  try {
    const parsed = readJson(text);
    const value = name === annotations.behavior ? withLowerCamelKeys(parsed) : parsed;
    return checks[name](value) ? (value as AnnotationValues[N]) : undefined; // the check has found it to be this
  } catch {
    return undefined;
  }
}

/** Early clients wrote the keys with capitals. */
function withLowerCamelKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withLowerCamelKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, entry]) => entry !== null)
      .map(([key, entry]) => [key.charAt(0).toLowerCase() + key.slice(1), withLowerCamelKeys(entry)]),
  );
}

/** Reads an annotation and takes it away; one that cannot be read stays. */
export function takeAnnotation<N extends AnnotationName>(
  object: ApiObject,
  name: N,
): AnnotationValues[N] | undefined {
  const value = readAnnotation(object, name);
  if (value !== undefined) dropAnnotations(object, [name]);
  return value;
}

/** Writes a value as JSON into an annotation, under each of its names. */
export function writeAnnotation(object: ApiObject, name: AnnotationName, value: JsonValue): void {
  const text = JSON.stringify(value);
  const written = Object.fromEntries(bothNames([name]).map(key => [key, text]));
  object.metadata.annotations = { ...object.metadata.annotations, ...written };
}

/** Changes what an annotation says under each of its names alone; `change` tells whether it changed the value. */
export function changeAnnotation<N extends AnnotationName>(
  object: ApiObject,
  name: N,
  change: (value: AnnotationValues[N]) => boolean,
): void {
  for (const key of bothNames([name])) {
    const value = valueFrom(object.metadata.annotations?.[key], name);
    if (value !== undefined && change(value)) setAnnotation(object, key, JSON.stringify(value));
  }
}

/** Takes annotations away, under each of their names; an object without any other then has none. */
export function dropAnnotations(object: ApiObject, names: readonly string[]): void {
  const { annotations: present } = object.metadata;
  const keys = bothNames(names);
  if (!present || !keys.some(key => Object.hasOwn(present, key))) return;
  const rest = Object.fromEntries(Object.entries(present).filter(([key]) => !keys.includes(key)));
  if (Object.keys(rest).length === 0) delete object.metadata.annotations;
  else object.metadata.annotations = rest;
}

/** Makes annotations those of another object, absent ones included. */
export function restoreAnnotations(object: ApiObject, from: ApiObject, names: readonly string[]): void {
  dropAnnotations(object, names);
  for (const key of bothNames(names)) setAnnotation(object, key, from.metadata.annotations?.[key]);
}

/**
 * Makes the two names of each annotation say the same after an update. A client changes the one that it knows and sends the
 * other back as it was: what differs from the old object counts.
 */
export function reconcileNames(object: ApiObject, old: ApiObject): void {
  for (const name of [...specAnnotations, ...statusAnnotations]) {
    const alias = aliasName(name);
    const { annotations: now = {} } = object.metadata;
    if (now[name] === now[alias]) continue;
    const isAliasChanged = now[alias] !== old.metadata.annotations?.[alias];
    if (isAliasChanged) setAnnotation(object, name, now[alias]);
    else setAnnotation(object, alias, now[name]);
  }
}

function setAnnotation(object: ApiObject, key: string, value: string | undefined): void {
  const { [key]: _, ...rest } = object.metadata.annotations ?? {};
  const changed = value === undefined ? rest : { ...rest, [key]: value };
  if (Object.keys(changed).length === 0) delete object.metadata.annotations;
  else object.metadata.annotations = changed;
}
