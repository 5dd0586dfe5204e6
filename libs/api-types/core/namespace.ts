import {
  copyJson,
  type FieldError,
  fieldPath,
  invalidField,
  validateDnsLabel,
  validateQualifiedName,
} from '@binnacle/api-objects';
import type { KindRules } from '../definitions/definitions.ts';
import type { Namespace } from '../generated/core/v1.ts';
import { ageColumn, ageOf, column, nameColumn, nameOf } from '../printing/columns.ts';

/** The label of every namespace that carries its name. */
const namespaceNameLabel = 'cluster.io/metadata.name';

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
  validate: finalizerErrors,
  validateUpdate: (object, old, subresource) =>
    subresource === 'finalize'
      ? finalizerErrors(object)
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
  metadata.labels = { ...metadata.labels, [namespaceNameLabel]: name };
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

function finalizerErrors(object: Namespace): FieldError[] {
  const path = fieldPath('spec', 'finalizers');
  return (object.spec?.finalizers ?? []).flatMap((finalizer, index) => {
    const messages = validateQualifiedName(finalizer);
    if (messages.length === 0 && finalizer !== namespaceFinalizer && !finalizer.includes('/'))
      messages.push('must be the standard finalizer or a name with a domain prefix');
    return messages.map(message => invalidField(path.index(index), finalizer, message));
  });
}

function phaseErrors(object: Namespace, old: Namespace): FieldError[] {
  const path = fieldPath('status', 'phase');
  const phase = phaseOf(object);
  const expected = old.metadata.deletionTimestamp === undefined ? 'Active' : 'Terminating';
  if (phase === expected) return [];
  const state = expected === 'Active' ? 'is empty' : 'is set';
  return [invalidField(path, phase, `must be '${expected}' while metadata.deletionTimestamp ${state}`)];
}

function phaseOf(object: Namespace): string {
  return object.status?.phase ?? '';
}
