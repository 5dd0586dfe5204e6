import { finalizers, labels, understood } from '@binnacle/api-names';
import {
  copyJson,
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidField,
  validateDnsLabel,
  validateQualifiedName,
} from '@binnacle/api-objects';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { Namespace } from '../generated/core/v1.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../printing/columns.ts';

/** Other aliases of the name label, which every namespace has. */
const otherNameLabels = understood.labels.metadataName.filter(label => label !== labels.metadataName);

/** The finalizer in spec.finalizers that keeps a namespace until its contents are deleted. */
const namespaceFinalizer = finalizers.namespace;

/** The rules of Namespace objects: spec.finalizers changes only through `finalize`, status only through `status`. */
export const namespaceRules: KindRules<Namespace> = {
  nameRule: validateDnsLabel,
  namesResourceInConflicts: true,
  applyDefaults: labelWithName,
  prepareForCreate(object) {
    labelWithName(object);
    object.spec ??= {};
    const given = object.spec.finalizers ?? [];
    object.spec.finalizers = given.includes(namespaceFinalizer) ? given : [...given, namespaceFinalizer];
    object.status = { phase: 'Active' };
  },
  prepareForUpdate,
  isHeld: object => (object.spec?.finalizers ?? []).length > 0,
  prepareForDelete(object) {
    delete object.metadata.deletionGracePeriodSeconds;
    object.status = { ...object.status, phase: 'Terminating' };
  },
  resetFields: subresource => (subresource === 'finalize' ? [['status']] : []),
  // For a new namespace kube-apiserver reports an invalid finalizer at the path of the list.
  validateCreate: object => finalizerErrors(object, () => finalizers$),
  validateUpdate: (object, old, subresource) =>
    subresource === 'finalize'
      ? finalizerErrors(object, index => finalizers$.index(index))
      : subresource === 'status'
        ? phaseErrors(object, old)
        : [],
  selectableFieldNames: ['status.phase'],
  selectableFields: object => ({ 'status.phase': readPhase(object) }),
  columns: [nameColumn, column('Status', 'Active, or Terminating once deletion has begun.'), ageColumn],
  cells: (object, now) => [nameCell(object), readPhase(object), ageCell(object, now)],
};

function labelWithName(object: Namespace): void {
  const name = nameCell(object);
  if (name === '') return;
  const metadata = object.metadata;
  const named: Record<string, string> = { ...metadata.labels, [labels.metadataName]: name };
  for (const label of otherNameLabels) if (named[label] !== undefined) named[label] = name;
  metadata.labels = named;
}

function prepareForUpdate(object: Namespace, old: Namespace, subresource: string): void {
  if (subresource === 'finalize') {
    object.status = copyJson(old.status ?? {});
    return;
  }
  const before = old.spec?.finalizers;
  object.spec ??= {};
  if (before === undefined) delete object.spec.finalizers;
  else object.spec.finalizers = copyJson(before);
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
  // kube-apiserver capitalizes this path.
  const path = fieldPath('status', 'Phase');
  const phase = readPhase(object);
  const expected = old.metadata.deletionTimestamp === undefined ? 'Active' : 'Terminating';
  if (phase === expected) return [];
  const state = expected === 'Active' ? 'is empty' : 'is set';
  return [invalidField(path, phase, `must be '${expected}' while metadata.deletionTimestamp ${state}`)];
}

function readPhase(object: Namespace): string {
  return object.status?.phase ?? '';
}
