import {
  type ApiObject,
  equalJson,
  type FieldError,
  fieldPath,
  invalidField,
  type JsonObject,
  requiredField,
} from '@binnacle/api-objects';
import { optionalSelectorErrors, validSelector } from '../core/label-selector-validation.ts';
import { replicatedTemplateErrors } from '../core/pod-template-validation.ts';
import { specOf } from '../core/service-facts.ts';
import { asNumber, asObject } from '../values/json-access.ts';
import { nonNegativeErrors } from '../values/number-validation.ts';

const spec$ = fieldPath('spec');
const status$ = fieldPath('status');
const selector$ = spec$.child('selector');

/** The findings about the selector of a kind that keeps pods running: there must be one, and it must name something. */
export function workloadSelectorErrors(spec: JsonObject, kind: string): FieldError[] {
  const selector = asObject(spec['selector']);
  if (selector === undefined) return [requiredField(selector$)];
  const errors = optionalSelectorErrors(selector, selector$);
  if (validSelector(selector, selector$)?.requirements.length === 0)
    errors.push(invalidField(selector$, selector, `empty selector is invalid for ${kind.toLowerCase()}`));
  return errors;
}

/** The findings about the template of a kind that keeps pods running. */
export function workloadTemplateErrors(
  spec: JsonObject,
  facts: { readonly kind: string; readonly replicas?: number; readonly furtherClaims?: readonly string[] },
): FieldError[] {
  const selector = validSelector(spec['selector'], selector$);
  return replicatedTemplateErrors(asObject(spec['template']) ?? {}, {
    ...facts,
    selector: selector?.requirements.length === 0 ? undefined : selector,
    path: spec$.child('template'),
  });
}

/** The findings about a change of which pods an object counts. */
export function selectorChangeErrors(object: ApiObject, old: ApiObject): FieldError[] {
  const selector = specOf(object)['selector'];
  return equalJson(selector, specOf(old)['selector'])
    ? []
    : [invalidField(selector$, selector ?? null, 'field is immutable')];
}

/** The status of an object; an empty one if it has none. */
export function observedOf(object: ApiObject): JsonObject {
  return asObject(object['status']) ?? {};
}

/** The findings about counts in a status: `parts` are shares of `replicas`, and those available are ready. */
export function replicaStatusErrors(object: ApiObject, parts: readonly string[]): FieldError[] {
  const status = observedOf(object);
  const errors = nonNegativeErrors(status, ['replicas', ...parts, 'observedGeneration'], status$);
  const replicas = asNumber(status['replicas']);
  for (const part of parts) {
    const count = asNumber(status[part]);
    if (count > replicas)
      errors.push(invalidField(status$.child(part), count, 'cannot be greater than status.replicas'));
  }
  const available = asNumber(status['availableReplicas']);
  if (available > asNumber(status['readyReplicas']))
    errors.push(
      invalidField(status$.child('availableReplicas'), available, 'cannot be greater than readyReplicas'),
    );
  return errors;
}

/** The findings about the count of collisions in a status: it never goes back. */
export function collisionCountErrors(object: ApiObject, old: ApiObject): FieldError[] {
  const path = status$.child('collisionCount');
  const count = observedOf(object)['collisionCount'];
  const before = observedOf(old)['collisionCount'];
  const errors = nonNegativeErrors(observedOf(object), ['collisionCount'], status$);
  if (before === undefined) return errors;
  if (count === undefined) errors.push(invalidField(path, null, 'must not be removed once set'));
  else if (asNumber(count) < asNumber(before))
    errors.push(invalidField(path, count, 'cannot be decremented'));
  return errors;
}
