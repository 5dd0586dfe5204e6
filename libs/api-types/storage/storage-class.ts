import { understood } from '@binnacle/api-names';
import {
  type ApiObject,
  equalJson,
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidField,
  requiredField,
  tooLongField,
  validateQualifiedName,
} from '@binnacle/api-objects';
import { labelRequirementWarnings } from '../core/node/deprecated-labels.ts';
import { topologyTermsErrors } from '../core/selectors/topology-selector-validation.ts';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { StorageClass } from '../generated/storage/v1.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../printing/columns.ts';

/** The rules of StorageClass objects: all fields except allowVolumeExpansion are immutable. */
export const storageClassRules: KindRules<StorageClass> = {
  returnsDeletedObject: true,
  validate,
  validateUpdate,
  warnings: ({ allowedTopologies = [] }) =>
    allowedTopologies.flatMap(({ matchLabelExpressions }, index) =>
      labelRequirementWarnings(matchLabelExpressions, `allowedTopologies[${index}].matchLabelExpressions`),
    ),
  columns: [
    nameColumn,
    column('Provisioner', 'The provisioner of the volumes.'),
    column('ReclaimPolicy', 'The reclaim policy of released volumes.'),
    column('VolumeBindingMode', 'When a claim gets its volume.'),
    column('AllowVolumeExpansion', 'Whether volumes can grow.'),
    ageColumn,
  ],
  cells: (object, now) => [
    isDefaultClass(object) ? `${nameCell(object)} (default)` : nameCell(object),
    object.provisioner ?? '',
    object.reclaimPolicy || 'Delete',
    object.volumeBindingMode || '<unset>',
    object.allowVolumeExpansion === true,
    ageCell(object, now),
  ],
};

const defaultClassAnnotations = [
  ...understood.annotations.defaultStorageClass,
  ...understood.annotations.defaultStorageClassBeta,
];

const mostParameters = 512;
const parametersLimit = 256 * 1024;

/** Whether the class is the default for claims without a class. */
export function isDefaultClass(object: ApiObject): boolean {
  const annotations = object.metadata.annotations ?? {};
  return defaultClassAnnotations.some(name => annotations[name] === 'true');
}

/** Validates the name of a provisioner or attacher. */
function provisionerErrors(provisioner: string, path: FieldPath): FieldError[] {
  if (provisioner === '') return [requiredField(path)];
  return validateQualifiedName(provisioner.toLowerCase()).map(message =>
    invalidField(path, provisioner, message),
  );
}

function validate(object: StorageClass): FieldError[] {
  return [
    ...provisionerErrors(object.provisioner ?? '', fieldPath('provisioner')),
    ...parameterErrors(object),
    ...topologyTermsErrors(object.allowedTopologies ?? [], fieldPath('allowedTopologies')),
  ];
}

function parameterErrors(object: StorageClass): FieldError[] {
  const path = fieldPath('parameters');
  const parameters = Object.entries(object.parameters ?? {});
  if (parameters.length > mostParameters)
    return [tooLongField(path, 'provisioner parameters', mostParameters)];
  const errors = parameters
    .filter(([key]) => key === '')
    .map(([key]) => invalidField(path, key, 'a key must not be empty'));
  const size = parameters.reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  return size > parametersLimit ? [...errors, tooLongField(path, '', parametersLimit)] : errors;
}

function validateUpdate(object: StorageClass, old: StorageClass): FieldError[] {
  const changed = (field: keyof StorageClass) => !equalJson(object[field] ?? null, old[field] ?? null);
  return [
    ...(['parameters', 'provisioner'] as const)
      .filter(changed)
      .map(field => forbiddenField(field, `updates to ${field} are forbidden`)),
    ...(changed('reclaimPolicy')
      ? [forbiddenField('reclaimPolicy', 'updates to reclaimPolicy are forbidden')]
      : []),
    ...(['volumeBindingMode', 'allowedTopologies'] as const)
      .filter(changed)
      .map(field => invalidField(field, object[field] ?? null, 'field is immutable')),
  ];
}
