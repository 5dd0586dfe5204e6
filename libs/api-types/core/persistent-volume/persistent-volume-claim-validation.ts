import {
  equalJson,
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidField,
  requiredField,
  validateDnsLabel,
  validateDnsSubdomain,
  validateLabelSelector,
} from '@binnacle/api-objects';
import type {
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  TypedObjectReference,
} from '../../generated/core/v1.ts';
import { equalMessages } from '../../values/equal-values.ts';
import { parseAmount } from '../resource-amounts/standard-resources.ts';
import { accessModeErrors } from './access-mode-validation.ts';

const spec$ = fieldPath('spec');

/** Validates a claim; closed sets of values are validated elsewhere. */
export function persistentVolumeClaimErrors(object: PersistentVolumeClaim): FieldError[] {
  return persistentVolumeClaimSpecErrors(object.spec ?? {}, spec$);
}

/** Validates the spec of a claim, also within a template. */
export function persistentVolumeClaimSpecErrors(
  spec: PersistentVolumeClaimSpec,
  path: FieldPath,
): FieldError[] {
  const selector = spec.selector;
  const className = spec.storageClassName ?? '';
  return [
    ...accessModeErrors(spec.accessModes ?? [], path.child('accessModes')),
    ...(selector ? validateLabelSelector(selector, path.child('selector')) : []),
    ...storageErrors(spec, path.child('resources')),
    ...(className === ''
      ? []
      : validateDnsSubdomain(className).map(message =>
          invalidField(path.child('storageClassName'), className, message),
        )),
    ...dataSourceErrors(spec, path),
  ];
}

/** Validates an update of a claim or its status. */
export function persistentVolumeClaimUpdateErrors(
  object: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  subresource: string,
): FieldError[] {
  return subresource === 'status' ? capacityErrors(object) : immutableErrors(object, old);
}

function storageErrors(spec: PersistentVolumeClaimSpec, path: FieldPath): FieldError[] {
  const value = readStorageRequest(spec);
  const at = path.key('storage');
  if (value === undefined) return [requiredField(at)];
  const amount = parseAmount(value);
  return amount && amount.nanos <= 0n ? [invalidField(at, value, 'must be greater than zero')] : [];
}

function readStorageRequest(spec: PersistentVolumeClaimSpec) {
  return spec.resources?.requests?.storage;
}

function dataSourceErrors(spec: PersistentVolumeClaimSpec, path: FieldPath): FieldError[] {
  const source = spec.dataSource;
  const reference = spec.dataSourceRef;
  const errors = [
    ...(source ? referenceErrors(source, path.child('dataSource')) : []),
    ...(reference ? referenceErrors(reference, path.child('dataSourceRef')) : []),
  ];
  const namespace = reference?.namespace ?? '';
  if (namespace !== '') {
    const at = path.child('dataSourceRef', 'namespace');
    errors.push(...validateDnsLabel(namespace).map(message => invalidField(at, namespace, message)));
    if (source)
      errors.push(
        invalidField(
          path,
          path.child('dataSource').toString(),
          'may not be specified when dataSourceRef.namespace is specified',
        ),
      );
    return errors;
  }
  const isSame = (['apiGroup', 'kind', 'name'] as const).every(
    field => (source?.[field] ?? '') === (reference?.[field] ?? ''),
  );
  if (source && reference && !isSame)
    errors.push(invalidField(path, path.child('dataSource').toString(), 'must match dataSourceRef'));
  return errors;
}

function referenceErrors(reference: TypedObjectReference, path: FieldPath): FieldError[] {
  const kind = reference.kind ?? '';
  const errors = (['name', 'kind'] as const)
    .filter(field => (reference[field] ?? '') === '')
    .map(field => requiredField(path.child(field)));
  if ((reference.apiGroup ?? '') === '' && kind !== 'PersistentVolumeClaim')
    errors.push(
      invalidField(path, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup"),
    );
  return errors;
}

function capacityErrors(object: PersistentVolumeClaim): FieldError[] {
  const path = fieldPath('status', 'capacity');
  const capacity = object.status?.capacity ?? {};
  return Object.entries(capacity).flatMap(([name, value]) => {
    const amount = parseAmount(value);
    return amount && amount.nanos < 0n
      ? [invalidField(path.key(name), value, 'must be greater than or equal to 0')]
      : [];
  });
}

/** Quotas count claims at creation: afterwards a claim may only be bound, get a missing storage class, and grow. */
function immutableErrors(object: PersistentVolumeClaim, old: PersistentVolumeClaim): FieldError[] {
  const [spec, before] = [object.spec ?? {}, old.spec ?? {}];
  const isBound = object.status?.phase === 'Bound';
  const errors: FieldError[] = [];
  const [now, then] = [fixedPart(spec, before, isBound), fixedPart(before, before, isBound)];
  if (!equalMessages('core.v1.PersistentVolumeClaimSpec', now, then))
    errors.push(
      forbiddenField(spec$, 'spec is immutable after creation except resources.requests for bound claims'),
    );
  if (!equalJson(spec.volumeMode ?? null, before.volumeMode ?? null))
    errors.push(invalidField('volumeMode', spec.volumeMode ?? null, 'field is immutable'));
  return errors;
}

/** Returns the spec without the fields that may change. */
function fixedPart(
  spec: PersistentVolumeClaimSpec,
  before: PersistentVolumeClaimSpec,
  isBound: boolean,
): PersistentVolumeClaimSpec {
  const fixed = { ...spec };
  if ((before.volumeName ?? '') === '') delete fixed.volumeName;
  if (before.storageClassName === undefined) delete fixed.storageClassName;
  const resources = spec.resources;
  if (isBound && resources) {
    const { storage: _, ...requests } = resources.requests ?? {};
    fixed.resources = { ...resources, requests };
  }
  return fixed;
}
