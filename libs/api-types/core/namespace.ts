import {
  copyJson,
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidField,
  validateDnsLabel,
  validateQualifiedName,
} from '@binnacle/api-objects';
import type { KindRules } from '../definitions/definitions.ts';
import type { Namespace } from '../generated/core/v1.ts';
import { ageColumn, ageOf, column, nameColumn, nameOf } from '../printing/columns.ts';

/** The label of every namespace that carries its name, and the name of existing clients for it, which can say nothing else. */
const namespaceNameLabel = 'cluster.io/metadata.name';
const otherNameLabel = 'kubernetes.io/metadata.name';

/** The finalizer in spec.finalizers that holds a namespace until its contents are gone. */
const namespaceFinalizer = 'cluster';

/** The rules of Namespace objects: spec.finalizers changes through `finalize` only, status through `status` only. */
export const namespaceRules: KindRules<Namespace> = {
  nameRule: validateDnsLabel,
  namesResourceInConflicts: true,
  applyDefaults: labelWithName,
  prepareForCreate(object) {
    labelWithName(object);
    object.spec ??= {};
    const finalizers = object.spec.finalizers ?? [];
    object.spec.finalizers = finalizers.includes(namespaceFinalizer)
      ? finalizers
      : [...finalizers, namespaceFinalizer];
    object.status = { phase: 'Active' };
  },
  prepareForUpdate,
  isHeld: object => (object.spec?.finalizers ?? []).length > 0,
  prepareForDelete(object) {
    delete object.metadata.deletionGracePeriodSeconds;
    object.status = { ...object.status, phase: 'Terminating' };
  },
  resetFields: subresource => (subresource === 'finalize' ? [['status']] : []),
  // kube-apiserver reports a finalizer of a new namespace at the list.
  validateCreate: object => finalizerErrors(object, () => finalizers$),
  validateUpdate: (object, old, subresource) =>
    subresource === 'finalize'
      ? finalizerErrors(object, index => finalizers$.index(index))
      : subresource === 'status'
        ? phaseErrors(object, old)
        : [],
  selectableFieldNames: ['status.phase'],
  selectableFields: object => ({ 'status.phase': phaseOf(object) }),
  columns: [nameColumn, column('Status', 'Active, or Terminating once deletion has begun.'), ageColumn],
  cells: (object, now) => [nameOf(object), phaseOf(object), ageOf(object, now)],
};

function labelWithName(object: Namespace): void {
  const name = nameOf(object);
  if (name === '') return;
  const metadata = object.metadata;
  const hasOther = metadata.labels?.[otherNameLabel] !== undefined;
  metadata.labels = {
    ...metadata.labels,
    [namespaceNameLabel]: name,
    ...(hasOther ? { [otherNameLabel]: name } : {}),
  };
}

function prepareForUpdate(object: Namespace, old: Namespace, subresource: string): void {
  if (subresource === 'finalize') {
    object.status = copyJson(old.status ?? {});
    return;
  }
  const finalizers = old.spec?.finalizers;
  object.spec ??= {};
  if (finalizers === undefined) delete object.spec.finalizers;
  else object.spec.finalizers = copyJson(finalizers);
}

const finalizers$ = fieldPath('spec', 'finalizers');

function finalizerErrors(object: Namespace, pathOf: (index: number) => FieldPath): FieldError[] {
  return (object.spec?.finalizers ?? []).flatMap((finalizer, index) => {
    const messages = validateQualifiedName(finalizer);
    if (finalizer !== namespaceFinalizer && !finalizer.includes('/'))
      messages.push('name is neither a standard finalizer name nor is it fully qualified');
    return messages.map(message => invalidField(pathOf(index), finalizer, message));
  });
}

function phaseErrors(object: Namespace, old: Namespace): FieldError[] {
  // kube-apiserver writes this path with a capital letter.
  const path = fieldPath('status', 'Phase');
  const phase = phaseOf(object);
  const expected = old.metadata.deletionTimestamp === undefined ? 'Active' : 'Terminating';
  if (phase === expected) return [];
  const state = expected === 'Active' ? 'is empty' : 'is set';
  return [invalidField(path, phase, `must be '${expected}' while metadata.deletionTimestamp ${state}`)];
}

function phaseOf(object: Namespace): string {
  return object.status?.phase ?? '';
}
