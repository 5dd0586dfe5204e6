import { understood } from '@binnacle/api-names';
import {
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidField,
  isJsonObject,
  type JsonValue,
  notSupportedField,
  readJson,
} from '@binnacle/api-objects';
import type { Pod, PodSpec, Toleration } from '../../generated/core/v1.ts';
import { descendingPathErrors } from '../volume/volume-source-validation.ts';
import { tolerationErrors } from './toleration-validation.ts';

type Annotations = Readonly<Record<string, string>>;

const {
  configMirror: mirrorKeys,
  tolerationsAlpha: tolerationKeys,
  podDeletionCost: deletionCostKeys,
  seccompPod: seccompKeys,
  seccompContainer: seccompPrefixes,
  appArmor: appArmorPrefixes,
} = understood.annotations;

/** Validates the known annotations of a pod or pod template. */
export function podAnnotationErrors(annotations: Annotations, spec: PodSpec, path: FieldPath): FieldError[] {
  let containers: ReadonlySet<string> | undefined;
  return Object.entries(annotations).flatMap(([key, value]) => {
    if (mirrorKeys.includes(key)) return mirrorErrors(value, spec, path.key(key));
    if (tolerationKeys.includes(key)) return tolerationListErrors(value, key, path);
    if (seccompKeys.includes(key) || seccompPrefixes.some(prefix => key.startsWith(prefix)))
      return seccompErrors(value, path.child(key));
    const prefix = appArmorPrefixes.find(known => key.startsWith(known));
    if (prefix === undefined) return [];
    containers ??= containerNames(spec);
    return appArmorErrors({ value, container: key.slice(prefix.length) }, containers, path.key(key));
  });
}

const containerLists = ['initContainers', 'containers', 'ephemeralContainers'] as const;

function containerNames(spec: PodSpec): ReadonlySet<string> {
  return new Set(containerLists.flatMap(list => (spec[list] ?? []).map(({ name = '' }) => name)));
}

/** Refuses changes of annotations that a node uses when it starts a pod. */
export function podAnnotationUpdateErrors({ metadata }: Pod, { metadata: before }: Pod): FieldError[] {
  const { annotations: now = {} } = metadata;
  const { annotations: then = {} } = before;
  const path = fieldPath('metadata', 'annotations');
  const errors: FieldError[] = [];
  for (const key of new Set([...Object.keys(then), ...Object.keys(now)])) {
    const meaning = fixedMeaning(key);
    if (meaning === undefined || now[key] === then[key]) continue;
    const change = then[key] === undefined ? 'add' : 'remove or update';
    errors.push(forbiddenField(path.key(key), `may not ${change} ${meaning}`));
  }
  return errors;
}

function fixedMeaning(key: string): string | undefined {
  if (mirrorKeys.includes(key)) return 'mirror pod annotation';
  return appArmorPrefixes.some(prefix => key.startsWith(prefix)) ? 'AppArmor annotations' : undefined;
}

/** A mirror pod represents a pod that a node already runs, so it must name the node. */
function mirrorErrors(value: string, spec: PodSpec, path: FieldPath): FieldError[] {
  if ((spec.nodeName ?? '') !== '') return [];
  return [invalidField(path, value, 'must set spec.nodeName if mirror pod annotation is set')];
}

/** Validates the deletion cost of a pod: a 32-bit integer without plus sign or leading zeros. */
export function deletionCostErrors(annotations: Annotations, path: FieldPath): FieldError[] {
  return deletionCostKeys.flatMap(key => {
    const value = annotations[key];
    if (value === undefined) return [];
    const isInteger = /^(?:0|[1-9][0-9]*|-[0-9]+)$/.test(value) && Number(value) === (Number(value) | 0);
    return isInteger ? [] : [invalidField(path.key(key), value, 'must be a 32bit integer')];
  });
}

const operators = ['Equal', 'Exists'];
const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Validates tolerations in the annotation that preceded the field; they have no effect. */
function tolerationListErrors(value: string, key: string, path: FieldPath): FieldError[] {
  if (value === '') return [];
  const tolerations = parseTolerations(value);
  if (tolerations === undefined) return [invalidField(path, key, 'must be a list of tolerations in JSON')];
  return tolerations.flatMap((toleration, index) => {
    const at = path.child(key).index(index);
    const { operator = '', effect = '' } = toleration;
    return [
      // Closed sets are validated below.
      ...tolerationErrors(toleration as Toleration, at),
      ...(operator === '' || operators.includes(operator)
        ? []
        : [notSupportedField(at.child('operator'), operator, operators)]),
      ...(effect === '' || effects.includes(effect)
        ? []
        : [notSupportedField(at.child('effect'), effect, effects)]),
    ];
  });
}

/** A toleration with any text as operator and effect. */
type WrittenToleration = Omit<Toleration, 'operator' | 'effect'> & {
  readonly operator?: string;
  readonly effect?: string;
};

/** Parses a JSON list of tolerations; undefined for invalid text. Member names are case-insensitive, as in kube-apiserver. */
function parseTolerations(text: string): WrittenToleration[] | undefined {
  const list = parsed(text);
  if (list === null) return [];
  if (!Array.isArray(list)) return undefined;
  const tolerations: WrittenToleration[] = [];
  for (const item of list) {
    if (item !== null && !isJsonObject(item)) return undefined;
    const members = new Map(Object.entries(item ?? {}).map(([name, one]) => [name.toLowerCase(), one]));
    const [key, operator, value, effect] = ['key', 'operator', 'value', 'effect'].map(name =>
      textOrNothing(members.get(name)),
    );
    const seconds = members.get('tolerationseconds') ?? undefined;
    const isNumber = seconds === undefined || typeof seconds === 'bigint' || Number.isSafeInteger(seconds);
    if (key === false || operator === false || value === false || effect === false || !isNumber)
      return undefined;
    tolerations.push({
      ...(key && { key }),
      ...(operator && { operator }),
      ...(value && { value }),
      ...(effect && { effect }),
      ...(seconds !== undefined && { tolerationSeconds: Number(seconds) }),
    });
  }
  return tolerations;
}

function parsed(text: string): JsonValue | undefined {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

/** Returns a text, '' if it is absent, false for other values. */
function textOrNothing(value: JsonValue | undefined): string | false {
  return typeof value === 'string' ? value : value === undefined || value === null ? '' : false;
}

const localPrefix = 'localhost/';

function seccompErrors(value: string, path: FieldPath): FieldError[] {
  if (['runtime/default', 'docker/default', 'unconfined'].includes(value)) return [];
  return value.startsWith(localPrefix)
    ? descendingPathErrors(value.slice(localPrefix.length), path)
    : [invalidField(path, value, 'must be a valid seccomp profile')];
}

function appArmorErrors(
  { value, container }: { readonly value: string; readonly container: string },
  containers: ReadonlySet<string>,
  path: FieldPath,
): FieldError[] {
  const isProfile = ['', 'runtime/default', 'unconfined'].includes(value) || value.startsWith(localPrefix);
  return [
    ...(containers.has(container) ? [] : [invalidField(path, container, 'container not found')]),
    ...(isProfile
      ? []
      : [invalidField(path, value, `invalid AppArmor profile name: ${JSON.stringify(value)}`)]),
  ];
}
