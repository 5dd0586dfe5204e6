import {
  type ApiObject,
  copyJson,
  equalJson,
  type FieldError,
  fieldPath,
  invalidField,
  type JsonObject,
} from '@binnacle/api-objects';
import { specOf } from '../core/service-facts.ts';
import { asObject, ensureObject } from '../values/json-access.ts';
import { nonNegativeErrors } from '../values/number-validation.ts';

const spec$ = fieldPath('spec');
const fixed = ['completions', 'selector', 'template', 'completionMode', 'podFailurePolicy'];
const schedulingFields = ['nodeSelector', 'tolerations', 'schedulingGates'];

/** The findings about a change of a job: what its pods are and how many must succeed is fixed at creation. */
export function jobUpdateErrors(object: ApiObject, old: ApiObject): FieldError[] {
  const spec = specOf(object);
  const before = specOf(old);
  return fixed.flatMap(field => {
    const value = spec[field];
    const isSame =
      field === 'template' && mayBeRescheduled(old)
        ? equalJson(withoutScheduling(value), withoutScheduling(before[field]))
        : equalJson(value, before[field]);
    return isSame ? [] : [invalidField(spec$.child(field), value ?? null, 'field is immutable')];
  });
}

/** The findings about the status of a job. */
export function jobStatusErrors(object: ApiObject): FieldError[] {
  const status = asObject(object['status']) ?? {};
  return nonNegativeErrors(status, ['active', 'succeeded', 'failed', 'ready'], fieldPath('status'));
}

/** Where the pods go may change as long as the job is held and has not begun. */
function mayBeRescheduled(old: ApiObject): boolean {
  return specOf(old)['suspend'] === true && asObject(old['status'])?.['startTime'] === undefined;
}

function withoutScheduling(template: unknown): JsonObject {
  const copy = copyJson(asObject(template) ?? {});
  const metadata = ensureObject(copy, 'metadata');
  delete metadata['labels'];
  delete metadata['annotations'];
  const spec = ensureObject(copy, 'spec');
  for (const field of schedulingFields) delete spec[field];
  const affinity = asObject(spec['affinity']);
  delete affinity?.['nodeAffinity'];
  if (affinity && Object.keys(affinity).length === 0) delete spec['affinity'];
  return copy;
}
