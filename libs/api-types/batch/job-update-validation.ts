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

/** Validates an update of a job, in which most fields of the spec are immutable. */
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

/** Validates changes of scheduling directives while they are not allowed even for suspended jobs. */
export function jobReschedulingErrors(object: Job, old: Job, subresource: string): FieldError[] {
  // `jobUpdateErrors` reports other changes.
  if (subresource !== '' || !mayBeRescheduled(old)) return [];
  const [template, before] = [object.spec?.template, old.spec?.template];
  if (equalTemplates(template, before)) return [];
  if (!equalTemplates(withoutScheduling(template), withoutScheduling(before))) return [];
  return [invalidField(spec$.child('template'), template ?? null, 'field is immutable')];
}

/** Validates the status of a job. */
export function jobStatusErrors(object: Job): FieldError[] {
  const path = fieldPath('status');
  return [
    ...nonNegativeErrors(object.status ?? {}, ['active', 'succeeded', 'failed', 'ready'], path),
    ...uncountedErrors(object.status?.uncountedTerminatedPods ?? {}, path.child('uncountedTerminatedPods')),
  ];
}

/** A pod must wait to be counted only once, as succeeded or as failed. */
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

/** Whether scheduling directives may change: the job is suspended and has not started. */
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
