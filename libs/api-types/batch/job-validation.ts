import {
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidField,
  notSupportedField,
  requiredField,
  validateDnsLabel,
} from '@binnacle/api-objects';
import { labelMatchErrors, podTemplateErrors } from '../core/pod-template/pod-template-validation.ts';
import {
  optionalSelectorErrors,
  selectorFrom,
  validSelector,
} from '../core/selectors/label-selector-validation.ts';
import type { Job, JobSpec, JobTemplateSpec } from '../generated/batch/v1.ts';
import { nonNegativeErrors } from '../values/number-validation.ts';
import { controllerLabel, jobLabel } from './job-selector.ts';
import { podFailurePolicyErrors } from './pod-failure-policy-validation.ts';

const spec$ = fieldPath('spec');
const counts = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
];
const endingPolicies = ['OnFailure', 'Never'];
const mostIndexedInParallel = 100_000;

/** Validates a job; closed sets of values are validated elsewhere. */
export function jobErrors(object: Job): FieldError[] {
  const spec = object.spec ?? {};
  const selector$ = spec$.child('selector');
  const { selector } = spec;
  return [
    ...jobSpecErrors(spec, spec$),
    ...(selector ? optionalSelectorErrors(selector, selector$) : [requiredField(selector$)]),
    ...labelMatchErrors(spec.template ?? {}, selectorFrom(selector, selector$), spec$.child('template')),
  ];
}

/** Validates the spec of a job, also within a template; the selector is validated separately. */
function jobSpecErrors(spec: JobSpec, path: FieldPath): FieldError[] {
  const template = spec.template ?? {};
  const errors = [...nonNegativeErrors(spec, counts, path), ...completionErrors(spec, path)];
  errors.push(...podFailurePolicyErrors(spec, path));
  errors.push(...podTemplateErrors(template, { path: path.child('template') }));
  errors.push(...restartErrors(spec, path.child('template', 'spec', 'restartPolicy')));
  return errors;
}

/** Validates rules that only apply to new jobs: lengths of pod names, and generated labels. */
export function jobCreateErrors(object: Job): FieldError[] {
  return [...generatedSelectorErrors(object), ...podNameErrors(object)];
}

function podNameErrors(object: Job): FieldError[] {
  const { completions = 0, completionMode } = object.spec ?? {};
  if (completionMode !== 'Indexed' || completions <= 0) return [];
  const { name = '' } = object.metadata;
  return validateDnsLabel(`${name}-${completions - 1}`).map(message =>
    invalidField('metadata.name', name, `the pods of the job cannot be named for it: ${message}`),
  );
}

function completionErrors(spec: JobSpec, path: FieldPath): FieldError[] {
  if (spec.completionMode !== 'Indexed') return [];
  const errors: FieldError[] = [];
  if (spec.completions === undefined)
    errors.push(requiredField(path.child('completions'), 'when completion mode is Indexed'));
  const parallelism = spec.parallelism ?? 0;
  if (parallelism > mostIndexedInParallel)
    errors.push(
      invalidField(
        path.child('parallelism'),
        parallelism,
        `must be less than or equal to ${mostIndexedInParallel} when completion mode is Indexed`,
      ),
    );
  return errors;
}

/** A pod with restart policy Always would never finish. */
function restartErrors(spec: JobSpec, path: FieldPath): FieldError[] {
  const policy: string = spec.template?.spec?.restartPolicy ?? '';
  if (policy === 'Always') return [requiredField(path, 'valid values: "OnFailure", "Never"')];
  if (!endingPolicies.includes(policy)) return [notSupportedField(path, policy, endingPolicies)];
  if (policy !== 'Never' && spec.podFailurePolicy)
    return [invalidField(path, policy, 'only "Never" is supported when podFailurePolicy is specified')];
  return [];
}

/** Labels set by the client must equal the generated ones. */
function generatedSelectorErrors(object: Job): FieldError[] {
  const spec = object.spec ?? {};
  const { uid = '', name = '' } = object.metadata;
  if (spec.manualSelector === true || uid === '') return [];
  const path = spec$.child('template', 'metadata', 'labels');
  const labels = spec.template?.metadata?.labels ?? {};
  const expected = { [controllerLabel]: uid, [jobLabel]: name };
  const errors = Object.entries(expected).flatMap(([label, value]) =>
    labels[label] === value
      ? []
      : labels[label] === undefined
        ? [requiredField(path.key(label), `must be '${value}'`)]
        : [invalidField(path.key(label), labels, `must be '${value}'`)],
  );
  const selector = validSelector(spec.selector, spec$.child('selector'));
  if (selector && !selector.matches(expected))
    errors.push(invalidField(spec$.child('selector'), spec.selector, '`selector` is not the generated one'));
  return errors;
}

/** Validates the template of generated jobs, whose selector is generated. */
export function jobTemplateErrors(template: JobTemplateSpec, path: FieldPath): FieldError[] {
  const spec = template.spec ?? {};
  const errors = jobSpecErrors(spec, path.child('spec'));
  if (spec.selector)
    errors.push(
      invalidField(path.child('spec', 'selector'), spec.selector, '`selector` will be auto-generated'),
    );
  if (spec.manualSelector === true)
    errors.push(notSupportedField(path.child('spec', 'manualSelector'), true, ['nil', 'false']));
  return errors;
}
