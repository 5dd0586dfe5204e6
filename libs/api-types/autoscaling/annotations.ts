import { annotations, understood } from '@binnacle/api-names';
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
 * Keys of the annotations in which version v1 stores values without fields, as JSON: the canonical name first. An annotation is
 * read under each of its names and written under all.
 */
const keysOf = {
  metrics: understood.annotations.autoscalerMetrics,
  behavior: understood.annotations.autoscalerBehavior,
  currentMetrics: understood.annotations.autoscalerCurrentMetrics,
  conditions: understood.annotations.autoscalerConditions,
  /** The exact v2 metrics where the other annotations are less precise. Specific to this server. */
  exact: [annotations.autoscalerExact],
} as const;

/** Name of one of these annotations. */
export type Annotation = keyof typeof keysOf;

/** All annotation names. */
export const allAnnotations = Object.keys(keysOf) as readonly Annotation[]; // Its own keys.

/** The metrics of an autoscaler in their v2 form. */
export type ExactMetrics = { metrics?: MetricSpec[]; currentMetrics?: MetricStatus[] };

/** The content of each annotation. */
export interface AnnotationValues {
  readonly metrics: MetricSpecV1[];
  readonly behavior: HorizontalPodAutoscalerBehavior;
  readonly currentMetrics: MetricStatusV1[];
  readonly conditions: ConditionV1[];
  readonly exact: ExactMetrics;
}

/** Annotations of the desired state. */
export const specAnnotations: readonly Annotation[] = ['metrics', 'behavior'];

/** Annotations of the observed state. */
export const statusAnnotations: readonly Annotation[] = ['currentMetrics', 'conditions'];

const packages = 'autoscaling';

/** Whether a value has the type of an annotation: its content becomes typed fields. */
const checks: Readonly<Record<Annotation, (value: JsonValue) => boolean>> = {
  metrics: value => isListOf('v1.MetricSpec', value),
  behavior: value => isMessage('v2.HorizontalPodAutoscalerBehavior', value),
  currentMetrics: value => isListOf('v1.MetricStatus', value),
  conditions: value => isListOf('v1.HorizontalPodAutoscalerCondition', value),
  exact: value => {
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

/** Returns the value of an annotation; undefined if it is absent, not JSON, or has wrong types. */
export function readAnnotation<N extends Annotation>(
  object: ApiObject,
  name: N,
): AnnotationValues[N] | undefined {
  for (const key of keysOf[name]) {
    const value = valueFrom(object.metadata.annotations?.[key], name);
    if (value !== undefined) return value;
  }
  return undefined;
}

function valueFrom<N extends Annotation>(text: string | undefined, name: N): AnnotationValues[N] | undefined {
  if (text === undefined) return undefined;
  try {
    const parsed = readJson(text);
    const value = name === 'behavior' ? withLowerCamelKeys(parsed) : parsed;
    return checks[name](value) ? (value as AnnotationValues[N]) : undefined; // Verified by the check.
  } catch {
    return undefined;
  }
}

/** Early clients wrote capitalized keys. */
function withLowerCamelKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withLowerCamelKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, entry]) => entry !== null)
      .map(([key, entry]) => [key.charAt(0).toLowerCase() + key.slice(1), withLowerCamelKeys(entry)]),
  );
}

/** Reads and removes an annotation; an invalid annotation is kept. */
export function takeAnnotation<N extends Annotation>(
  object: ApiObject,
  name: N,
): AnnotationValues[N] | undefined {
  const value = readAnnotation(object, name);
  if (value !== undefined) dropAnnotations(object, [name]);
  return value;
}

/** Writes a value as JSON to an annotation, under each of its names. */
export function writeAnnotation(object: ApiObject, name: Annotation, value: JsonValue): void {
  const text = JSON.stringify(value);
  const written = Object.fromEntries(keysOf[name].map(key => [key, text]));
  object.metadata.annotations = { ...object.metadata.annotations, ...written };
}

/** Changes the value of an annotation under each of its names separately; `change` returns whether it modified the value. */
export function changeAnnotation<N extends Annotation>(
  object: ApiObject,
  name: N,
  change: (value: AnnotationValues[N]) => boolean,
): void {
  for (const key of keysOf[name]) {
    const value = valueFrom(object.metadata.annotations?.[key], name);
    if (value !== undefined && change(value)) setAnnotation(object, key, JSON.stringify(value));
  }
}

/** Removes annotations under each of their names; the annotations map is removed if it becomes empty. */
export function dropAnnotations(object: ApiObject, names: readonly Annotation[]): void {
  const { annotations: present } = object.metadata;
  const keys = names.flatMap(name => keysOf[name]);
  if (!present || !keys.some(key => Object.hasOwn(present, key))) return;
  const rest = Object.fromEntries(Object.entries(present).filter(([key]) => !keys.includes(key)));
  if (Object.keys(rest).length === 0) delete object.metadata.annotations;
  else object.metadata.annotations = rest;
}

/** Restores annotations, including their absence, from another object. */
export function restoreAnnotations(object: ApiObject, from: ApiObject, names: readonly Annotation[]): void {
  dropAnnotations(object, names);
  for (const key of names.flatMap(name => keysOf[name]))
    setAnnotation(object, key, from.metadata.annotations?.[key]);
}

/**
 * Aligns the names of each annotation after an update. A client changes the name that it knows and sends the other one unchanged:
 * the one that differs from the old object wins.
 */
export function reconcileNames(object: ApiObject, old: ApiObject): void {
  for (const name of [...specAnnotations, ...statusAnnotations]) {
    const [own = '', alias] = keysOf[name];
    const { annotations: now = {} } = object.metadata;
    if (alias === undefined || now[own] === now[alias]) continue;
    const isAliasChanged = now[alias] !== old.metadata.annotations?.[alias];
    if (isAliasChanged) setAnnotation(object, own, now[alias]);
    else setAnnotation(object, alias, now[own]);
  }
}

function setAnnotation(object: ApiObject, key: string, value: string | undefined): void {
  const { [key]: _, ...rest } = object.metadata.annotations ?? {};
  const changed = value === undefined ? rest : { ...rest, [key]: value };
  if (Object.keys(changed).length === 0) delete object.metadata.annotations;
  else object.metadata.annotations = changed;
}
