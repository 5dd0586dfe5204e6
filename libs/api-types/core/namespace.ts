import {
  type ApiObject,
  copyJson,
  type FieldError,
  fieldPath,
  invalidField,
  validateDnsLabel,
  validateQualifiedName,
} from '@binnacle/api-objects';
import type { KindRules } from '../definitions/definitions.ts';
import { ageColumn, ageOf, column, nameColumn, nameOf } from '../printing/columns.ts';
import { asObject, asText, asTexts, ensureObject } from '../values/json-access.ts';

/** The label of every namespace that carries its name. */
export const namespaceNameLabel = 'cluster.io/metadata.name';

/** The finalizer in spec.finalizers that holds a namespace until its contents are gone. */
export const namespaceFinalizer = 'cluster';

/** The rules of Namespace objects: spec.finalizers changes through `finalize` only, status through `status` only. */
export const namespaceRules: KindRules = {
  nameRule: validateDnsLabel,
  applyDefaults: labelWithName,
  prepareForCreate(object) {
    labelWithName(object);
    const spec = ensureObject(object, 'spec');
    const finalizers = asTexts(spec['finalizers']);
    spec['finalizers'] = finalizers.includes(namespaceFinalizer)
      ? finalizers
      : [...finalizers, namespaceFinalizer];
    object['status'] = { phase: 'Active' };
  },
  prepareForUpdate,
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

function labelWithName(object: ApiObject): void {
  const name = nameOf(object);
  if (name === '') return;
  const metadata = object.metadata;
  metadata.labels = { ...metadata.labels, [namespaceNameLabel]: name };
}

function prepareForUpdate(object: ApiObject, old: ApiObject, subresource: string): void {
  if (subresource === 'finalize') {
    object['status'] = copyJson(old['status'] ?? {});
    return;
  }
  const finalizers = asObject(old['spec'])?.['finalizers'];
  const spec = ensureObject(object, 'spec');
  if (finalizers === undefined) delete spec['finalizers'];
  else spec['finalizers'] = copyJson(finalizers);
}

function finalizerErrors(object: ApiObject): FieldError[] {
  const path = fieldPath('spec', 'finalizers');
  return asTexts(asObject(object['spec'])?.['finalizers']).flatMap((finalizer, index) => {
    const messages = validateQualifiedName(finalizer);
    if (messages.length === 0 && finalizer !== namespaceFinalizer && !finalizer.includes('/'))
      messages.push('must be the standard finalizer or a name with a domain prefix');
    return messages.map(message => invalidField(path.index(index), finalizer, message));
  });
}

function phaseErrors(object: ApiObject, old: ApiObject): FieldError[] {
  const path = fieldPath('status', 'phase');
  const phase = phaseOf(object);
  const expected = old.metadata.deletionTimestamp === undefined ? 'Active' : 'Terminating';
  if (phase === expected) return [];
  const state = expected === 'Active' ? 'is empty' : 'is set';
  return [invalidField(path, phase, `must be '${expected}' while metadata.deletionTimestamp ${state}`)];
}

function phaseOf(object: ApiObject): string {
  return asText(asObject(object['status'])?.['phase']);
}
