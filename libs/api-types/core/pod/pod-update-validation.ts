import {
  copyJson,
  type FieldError,
  fieldPath,
  forbiddenField,
  invalidField,
  isNumber,
  requiredField,
} from '@binnacle/api-objects';
import type { PodSpec, Toleration } from '../../generated/core/v1.ts';
import { equalMessages } from '../../values/equal-values.ts';

const spec$ = fieldPath('spec');
const changeable = ['activeDeadlineSeconds', 'tolerations', 'schedulingGates'] as const;
const containerLists = ['containers', 'initContainers'] as const;

/**
 * Validates an update of a pod's spec: only images, a shorter deadline, added tolerations and removed scheduling gates are
 * allowed.
 */
export function podUpdateErrors(spec: PodSpec, old: PodSpec): FieldError[] {
  const errors = containerLists
    .filter(list => (spec[list] ?? []).length !== (old[list] ?? []).length)
    .map(list => forbiddenField(spec$.child(list), 'pod updates may not add or remove containers'));
  if (errors.length > 0) return errors;
  errors.push(
    ...imageErrors(spec),
    ...deadlineErrors(spec, old),
    ...tolerationErrors(spec, old),
    ...schedulingGateErrors(spec, old),
  );
  if (errors.length > 0) return errors;
  if (equalMessages('core.v1.PodSpec', withChangeable(spec, old), old)) return [];
  return [
    forbiddenField(
      spec$,
      'pod updates may not change fields other than `spec.containers[*].image`, `spec.initContainers[*].image`, ' +
        '`spec.activeDeadlineSeconds`, `spec.schedulingGates` (only deletions), ' +
        '`spec.tolerations` (only additions to existing tolerations) and ' +
        '`spec.terminationGracePeriodSeconds` (only from a negative value to 1)',
    ),
  ];
}

function imageErrors(spec: PodSpec): FieldError[] {
  return containerLists.flatMap(list =>
    (spec[list] ?? []).flatMap(({ image = '' }, index) => {
      const path = spec$.child(list).index(index).child('image');
      if (image === '') return [requiredField(path)];
      return image === image.trim()
        ? []
        : [invalidField(path, image, 'must not have leading or trailing whitespace')];
    }),
  );
}

function deadlineErrors(spec: PodSpec, old: PodSpec): FieldError[] {
  const path = spec$.child('activeDeadlineSeconds');
  const before = old.activeDeadlineSeconds;
  const after = spec.activeDeadlineSeconds;
  if (before === undefined) return [];
  if (after === undefined)
    return [invalidField(path, null, 'must not update from a positive integer to nil value')];
  return after > before ? [invalidField(path, after, 'must be less than or equal to previous value')] : [];
}

/** Existing tolerations must be kept; only tolerationSeconds may change. */
function tolerationErrors(spec: PodSpec, old: PodSpec): FieldError[] {
  const known = new Set((spec.tolerations ?? []).map(tolerationIdentity));
  const isComplete = (old.tolerations ?? []).every(toleration => known.has(tolerationIdentity(toleration)));
  if (isComplete) return [];
  return [
    forbiddenField(
      spec$.child('tolerations'),
      'existing tolerations may not be changed except tolerationSeconds',
    ),
  ];
}

/** Scheduling gates can only be removed. */
function schedulingGateErrors(spec: PodSpec, old: PodSpec): FieldError[] {
  const known = new Set((old.schedulingGates ?? []).map(gate => gate.name));
  return (spec.schedulingGates ?? [])
    .map((gate, index) => ({ name: gate.name ?? '', index }))
    .filter(({ name }) => !known.has(name))
    .map(({ name, index }) =>
      forbiddenField(
        spec$.child('schedulingGates').index(index).child('name'),
        `only deletion is allowed, but found new scheduling gate '${name}'`,
      ),
    );
}

function tolerationIdentity(toleration: Toleration): string {
  const { key = '', operator = '', value = '', effect = '' } = toleration;
  return JSON.stringify([key, operator === '' ? 'Equal' : operator, value, effect]);
}

/** Returns the new spec with the old values of all fields that may change. */
function withChangeable(spec: PodSpec, old: PodSpec): PodSpec {
  const copy = copyJson(spec);
  for (const list of containerLists) {
    const before = old[list] ?? [];
    for (const [index, container] of (copy[list] ?? []).entries()) {
      const image = before[index]?.image;
      if (image !== undefined) container.image = image;
    }
  }
  const { activeDeadlineSeconds, tolerations, schedulingGates } = old;
  for (const field of changeable) delete copy[field];
  Object.assign(copy, {
    ...(activeDeadlineSeconds !== undefined && { activeDeadlineSeconds }),
    ...(tolerations !== undefined && { tolerations }),
    ...(schedulingGates !== undefined && { schedulingGates }),
  });
  const grace = old.terminationGracePeriodSeconds;
  if (isNumber(grace) && grace < 0 && copy.terminationGracePeriodSeconds === 1)
    copy.terminationGracePeriodSeconds = grace;
  return copy;
}
