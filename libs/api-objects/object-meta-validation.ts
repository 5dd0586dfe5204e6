import { understood } from '@binnacle/api-names';
import { type FieldError, forbiddenField, invalidField, requiredField, tooLongField } from './field-error.ts';
import { type FieldPath, fieldPath } from './field-path.ts';
import { splitApiVersion } from './group-version.ts';
import { equalJson, type JsonValue } from './json.ts';
import { isNumber } from './json-text.ts';
import {
  type NameRule,
  validateDnsLabel,
  validateDnsSubdomain,
  validateLabelValue,
  validateQualifiedName,
} from './names.ts';
import type { ManagedFieldsEntry, ObjectMeta, OwnerReference } from './objects.ts';

/** Metadata rules of a kind. */
interface ObjectMetaRules {
  readonly namespaced: boolean;
  /** Rule of the name; default: a DNS subdomain. */
  readonly nameRule?: NameRule | undefined;
  /** Whether metadata.generateName is validated too; default: true. */
  readonly generateName?: boolean;
  /** Whether finalizers without a slash must be standard ones; default: true, false for custom resources. */
  readonly qualifiedFinalizers?: boolean;
  /** Path of the metadata; default: `metadata`. */
  readonly path?: FieldPath;
}

const annotationsLimit = 262_144;
const managerLimit = 128;
const subresourceLimit = 256;
const immutableDetail = 'field is immutable';
const knownFinalizers = new Set([...understood.finalizers.namespace, 'orphan', 'foregroundDeletion']);
const updateImmutable = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const;
const unprintable = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;

/** Validates the metadata of a new object, whose name has already been generated if requested. */
export function validateObjectMeta(meta: ObjectMeta, rules: ObjectMetaRules): FieldError[] {
  const path = rules.path ?? fieldPath('metadata');
  return [
    ...nameErrors(meta, rules, path),
    ...namespaceErrors(meta, rules, path),
    ...((meta.generation ?? 0) < 0
      ? [invalidField(path.child('generation'), meta.generation, 'must be greater than or equal to 0')]
      : []),
    ...contentErrors(meta, rules.qualifiedFinalizers ?? true, path),
  ];
}

/** Validates the metadata of an update and its changes. */
export function validateObjectMetaUpdate(
  updated: ObjectMeta,
  old: ObjectMeta,
  options: {
    readonly qualifiedFinalizers?: boolean;
    readonly requireResourceVersion?: boolean;
    readonly path?: FieldPath;
  } = {},
): FieldError[] {
  const path = options.path ?? fieldPath('metadata');
  const errors: FieldError[] = [];
  if ((updated.generation ?? 0) < (old.generation ?? 0)) {
    errors.push(invalidField(path.child('generation'), updated.generation ?? 0, 'must not be decremented'));
  }
  if (options.requireResourceVersion === true && (updated.resourceVersion ?? '') === '') {
    errors.push(
      invalidField(
        path.child('resourceVersion'),
        updated.resourceVersion ?? '',
        'must be specified for an update',
      ),
    );
  }
  for (const field of updateImmutable) {
    if (!sameOrUnset(updated[field], old[field]))
      errors.push(invalidField(path.child(field), updated[field] ?? null, immutableDetail));
  }
  if (old.deletionTimestamp !== undefined) errors.push(...newFinalizerErrors(updated, old, path));
  const ofContent = contentErrors(updated, options.qualifiedFinalizers ?? true, path);
  return errors.length === 0 ? ofContent : [...errors, ...ofContent];
}

/**
 * Validates that an update does not set a deletion timestamp or grace period. If the object already has a deletion timestamp, the
 * one in the update is ignored.
 */
export function validateDeletionUntouched(updated: ObjectMeta, old: ObjectMeta): FieldError[] {
  const path = fieldPath('metadata');
  const errors: FieldError[] = [];
  const { deletionTimestamp, deletionGracePeriodSeconds } = updated;
  if (deletionTimestamp && !old.deletionTimestamp)
    errors.push(invalidField(path.child('deletionTimestamp'), deletionTimestamp, immutableDetail));
  if (isNumber(deletionGracePeriodSeconds) && deletionGracePeriodSeconds !== old.deletionGracePeriodSeconds)
    errors.push(
      invalidField(path.child('deletionGracePeriodSeconds'), deletionGracePeriodSeconds, immutableDetail),
    );
  return errors;
}

/** Validates the keys and values of labels. */
export function validateLabels(
  labels: Readonly<Record<string, string>> | undefined,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const key in labels) {
    const value = labels[key]!; // One of its keys.
    for (const message of validateQualifiedName(key)) errors.push(invalidField(path, key, message));
    for (const message of validateLabelValue(value)) errors.push(invalidField(path, value, message));
  }
  return errors;
}

/** Validates the keys of annotations (in lower case) and their total size, at most 256 KiB. */
export function validateAnnotations(
  annotations: Readonly<Record<string, string>> | undefined,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(annotations ?? {})) {
    errors.push(...validateQualifiedName(key.toLowerCase()).map(m => invalidField(path, key, m)));
    size += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (size > annotationsLimit) errors.push(tooLongField(path, '', annotationsLimit));
  return errors;
}

/** Validates managed fields: operation, fieldsType, manager, subresource. */
export function validateManagedFields(
  entries: readonly ManagedFieldsEntry[] | undefined,
  path: FieldPath,
): FieldError[] {
  return (entries ?? []).flatMap((entry, i) => managedFieldsEntryErrors(entry, path.index(i)));
}

/** Validates a field manager name: printable, at most 128 bytes. */
export function validateFieldManager(manager: string, path: FieldPath): FieldError[] {
  if (Buffer.byteLength(manager) > managerLimit) return [tooLongField(path, manager, managerLimit)];
  const wrong = unprintable.exec(manager);
  return wrong === null ? [] : [invalidField(path, manager, `invalid character at position ${wrong.index}`)];
}

/** Returns the name to validate for a generateName: a trailing dash may be followed by a suffix and is replaced. */
export function maskTrailingDash(prefix: string): string {
  return prefix.length > 1 && prefix.endsWith('-') ? `${prefix.slice(0, -2)}a` : prefix;
}

function nameErrors(meta: ObjectMeta, rules: ObjectMetaRules, path: FieldPath): FieldError[] {
  const rule = rules.nameRule ?? validateDnsSubdomain;
  const { name = '', generateName = '' } = meta;
  const errors: FieldError[] = [];
  if (generateName !== '' && rules.generateName !== false) {
    errors.push(
      ...rule(maskTrailingDash(generateName)).map(m =>
        invalidField(path.child('generateName'), generateName, m),
      ),
    );
  }
  if (name === '') errors.push(requiredField(path.child('name'), 'name or generateName is required'));
  else errors.push(...rule(name).map(m => invalidField(path.child('name'), name, m)));
  return errors;
}

function namespaceErrors(meta: ObjectMeta, rules: ObjectMetaRules, path: FieldPath): FieldError[] {
  const { namespace = '' } = meta;
  const field = path.child('namespace');
  if (!rules.namespaced) return namespace === '' ? [] : [forbiddenField(field, 'not allowed on this type')];
  if (namespace === '') return [requiredField(field)];
  return validateDnsLabel(namespace).map(m => invalidField(field, namespace, m));
}

function contentErrors(meta: ObjectMeta, qualifiedFinalizers: boolean, path: FieldPath): FieldError[] {
  const { labels, annotations, ownerReferences, finalizers } = meta;
  // Most objects have one or two of these; paths are created only for them.
  const errors = labels ? validateLabels(labels, path.child('labels')) : [];
  if (annotations) errors.push(...validateAnnotations(annotations, path.child('annotations')));
  if (ownerReferences) errors.push(...ownerReferenceErrors(ownerReferences, path.child('ownerReferences')));
  if (finalizers) errors.push(...finalizerErrors(finalizers, qualifiedFinalizers, path.child('finalizers')));
  return errors;
}

function ownerReferenceErrors(references: readonly OwnerReference[], path: FieldPath): FieldError[] {
  const errors = references.flatMap(reference => singleOwnerErrors(reference, path));
  const controllers = references.filter(reference => reference.controller === true);
  if (controllers.length > 1) {
    const names = controllers.map(c => c.name).slice(0, 10);
    errors.push(
      invalidField(
        path,
        references.slice(0, 10),
        `only one reference can have controller set to true, found it for ${names.join(', ')}`,
      ),
    );
  }
  return errors;
}

function singleOwnerErrors(reference: OwnerReference, path: FieldPath): FieldError[] {
  const { apiVersion = '', kind = '', name = '', uid = '' } = reference;
  const errors: FieldError[] = [];
  const named = splitApiVersion(apiVersion);
  const { group, version } = named.version.includes('/') ? { group: '', version: '' } : named;
  if (version === '')
    errors.push(invalidField(path.child('apiVersion'), apiVersion, 'version must not be empty'));
  if (kind === '') errors.push(invalidField(path.child('kind'), kind, 'kind must not be empty'));
  if (name === '') errors.push(invalidField(path.child('name'), name, 'name must not be empty'));
  if (uid === '') errors.push(invalidField(path.child('uid'), uid, 'uid must not be empty'));
  if (kind === 'Event' && version === 'v1' && (group === '' || group.startsWith('events.'))) {
    errors.push(invalidField(path, reference, `${apiVersion} Event is disallowed from being an owner`));
  }
  return errors;
}

function finalizerErrors(finalizers: readonly string[], qualified: boolean, path: FieldPath): FieldError[] {
  const errors = finalizers.flatMap((finalizer, i) => {
    const messages = validateQualifiedName(finalizer);
    if (messages.length > 0) return messages.map(m => invalidField(path, finalizer, m));
    if (!qualified || finalizer.includes('/') || knownFinalizers.has(finalizer)) return [];
    return [invalidField(path.index(i), finalizer, 'is neither a standard finalizer nor a qualified name')];
  });
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    errors.push(invalidField(path, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set'));
  }
  return errors;
}

function newFinalizerErrors(updated: ObjectMeta, old: ObjectMeta, path: FieldPath): FieldError[] {
  const before = new Set(old.finalizers);
  const added = (updated.finalizers ?? []).filter(finalizer => !before.has(finalizer));
  if (added.length === 0) return [];
  const found = JSON.stringify(added);
  return [
    forbiddenField(
      path.child('finalizers'),
      `no new finalizers can be added if the object is being deleted, found new finalizers ${found}`,
    ),
  ];
}

function managedFieldsEntryErrors(entry: ManagedFieldsEntry, path: FieldPath): FieldError[] {
  const { operation = '', fieldsType = '', manager = '', subresource = '' } = entry;
  const errors: FieldError[] = [];
  if (operation !== 'Apply' && operation !== 'Update') {
    errors.push(invalidField(path.child('operation'), operation, 'must be Apply or Update'));
  }
  if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
    errors.push(invalidField(path.child('fieldsType'), fieldsType, 'must be FieldsV1'));
  }
  errors.push(...validateFieldManager(manager, path.child('manager')));
  if (Buffer.byteLength(subresource) > subresourceLimit) {
    errors.push(tooLongField(path.child('subresource'), subresource, subresourceLimit));
  }
  return errors;
}

function sameOrUnset(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return (isUnset(a) && isUnset(b)) || equalJson(a, b);
}

function isUnset(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '';
}
