import {
  copyJson,
  duplicateField,
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidField,
} from '@binnacle/api-objects';
import type { Job, UncountedTerminatedPods } from '../generated/batch/v1.ts';
import type { PodTemplateSpec } from '../generated/core/v1.ts';
import { equalMessages } from '../values/equal-values.ts';
import { nonNegativeErrors } from '../values/number-validation.ts';

const spec$ = fieldPath('spec');
const fixed = ['completions', 'selector', 'template', 'completionMode', 'podFailurePolicy'] as const;
const schedulingFields = ['nodeSelector', 'tolerations', 'schedulingGates'] as const;

/** The findings about a change of a job: what its pods are and how many must succeed is fixed at creation. */
export function jobUpdateErrors(object: Job, old: Job): FieldError[] {
  const spec = object.spec ?? {};
  const before = old.spec ?? {};
  return fixed.flatMap(field => {
    const value = spec[field];
    const isSame =
      field === 'template' && mayBeRescheduled(old)
        ? equalTemplates(withoutScheduling(spec.template), withoutScheduling(before.template))
        : equalMessages('batch.v1.JobSpec', { [field]: value }, { [field]: before[field] });
    return isSame ? [] : [invalidField(spec$.child(field), value ?? null, 'field is immutable')];
  });
}

/** The findings about a job whose pods are to go elsewhere, where that is not permitted to suspended jobs either. */
export function jobReschedulingErrors(object: Job, old: Job, subresource: string): FieldError[] {
  // Others are refused by `jobUpdateErrors`.
  if (subresource !== '' || !mayBeRescheduled(old)) return [];
  const [template, before] = [object.spec?.template, old.spec?.template];
  if (equalTemplates(template, before)) return [];
  if (!equalTemplates(withoutScheduling(template), withoutScheduling(before))) return [];
  return [invalidField(spec$.child('template'), template ?? null, 'field is immutable')];
}

/** The findings about the status of a job. */
export function jobStatusErrors(object: Job): FieldError[] {
  const path = fieldPath('status');
  return [
    ...nonNegativeErrors(object.status ?? {}, ['active', 'succeeded', 'failed', 'ready'], path),
    ...uncountedErrors(object.status?.uncountedTerminatedPods ?? {}, path.child('uncountedTerminatedPods')),
  ];
}

/** A pod waits to be counted once, as one that succeeded or as one that failed. */
function uncountedErrors(uncounted: UncountedTerminatedPods, path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return (['succeeded', 'failed'] as const).flatMap(field =>
    (uncounted[field] ?? []).flatMap((uid, index) => {
      const at = path.child(field).index(index);
      if (uid === '') return [invalidField(at, uid, 'must not be empty')];
      if (seen.has(uid)) return [duplicateField(at, uid)];
      seen.add(uid);
      return [];
    }),
  );
}

function equalTemplates(a: PodTemplateSpec | undefined, b: PodTemplateSpec | undefined): boolean {
  return equalMessages('core.v1.PodTemplateSpec', a, b);
}

/** Where the pods go may change as long as the job is held and has not begun. */
function mayBeRescheduled(old: Job): boolean {
  return old.spec?.suspend === true && old.status?.startTime === undefined;
}

function withoutScheduling(template: PodTemplateSpec = {}): PodTemplateSpec {
  const { metadata = {}, spec = {}, ...rest } = copyJson(template);
  delete metadata.labels;
  delete metadata.annotations;
  for (const field of schedulingFields) delete spec[field];
  const { affinity } = spec;
  delete affinity?.nodeAffinity;
  if (affinity && Object.keys(affinity).length === 0) delete spec.affinity;
  return { ...rest, metadata, spec };
}
