import { understood } from '@binnacle/api-names';
import {
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidField,
  isJsonObject,
  type JsonValue,
  readJson,
  requiredField,
} from '@binnacle/api-objects';
import type { Taint } from '../../generated/core/v1.ts';
import { taintErrors } from './taint-validation.ts';

const { nodeTaintsAlpha, preferAvoidPods } = understood.annotations;
const path = fieldPath('metadata', 'annotations');

/** Validates node annotations that preceded fields; they have no effect. */
export function nodeAnnotationErrors(annotations: Readonly<Record<string, string>> = {}): FieldError[] {
  const written = (keys: readonly string[]) => keys.filter(key => (annotations[key] ?? '') !== '');
  return [
    ...written(nodeTaintsAlpha).flatMap(key => taintListErrors(parsed(annotations[key]), key)),
    ...written(preferAvoidPods).flatMap(key => avoidedPodErrors(parsed(annotations[key]), key)),
  ];
}

/** Parses JSON; undefined for invalid text. */
function parsed(text = ''): JsonValue | undefined {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

function taintListErrors(value: JsonValue | undefined, key: string): FieldError[] {
  const list = value === null ? [] : value;
  if (!Array.isArray(list) || !list.every(isTaint))
    return [invalidField(path, key, 'must be a list of taints in JSON')];
  return taintErrors(list, path.child(key));
}

function isTaint(value: JsonValue): value is JsonValue & Taint {
  return (
    isJsonObject(value) &&
    ['key', 'value', 'effect'].every(member => ['string', 'undefined'].includes(typeof value[member]))
  );
}

function avoidedPodErrors(value: JsonValue | undefined, key: string): FieldError[] {
  const entries = isJsonObject(value) ? (value['preferAvoidPods'] ?? []) : value === null ? [] : undefined;
  if (!Array.isArray(entries) || !entries.every(isJsonObject))
    return [invalidField(path.child('AvoidPods'), key, 'must be a list of pods to avoid in JSON')];
  return entries.flatMap((entry, index) =>
    signatureErrors(entry['podSignature'], path.child(key).index(index).child('PodSignature')),
  );
}

/** A pod signature must name the pods' controller. */
function signatureErrors(signature: JsonValue | undefined, at: FieldPath): FieldError[] {
  const controller = isJsonObject(signature) ? signature['podController'] : undefined;
  if (!isJsonObject(controller)) return [requiredField(at)];
  const isController = controller['controller'] ?? null;
  if (isController === true) return [];
  return [invalidField(at.child('PodController', 'Controller'), isController, 'must point to a controller')];
}
