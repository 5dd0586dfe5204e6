import { groups } from '@binnacle/api-names';
import {
  equalJson,
  type FieldError,
  fieldPath,
  invalidField,
  tryParseQuantity,
  validateDnsSubdomain,
  validateLabelSelector,
} from '@binnacle/api-objects';
import { labelMapWarnings, labelRequirementWarnings } from '../core/node/deprecated-labels.ts';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { CSIStorageCapacity } from '../generated/storage/v1.ts';
import { column, nameCell, nameColumn } from '../printing/columns.ts';

/** The rules of CSIStorageCapacity objects: topology and class are immutable, the capacity may change. */
export const csiStorageCapacityRules: KindRules<CSIStorageCapacity> = {
  unconditionalUpdate: false,
  validate,
  validateUpdate: immutableErrors,
  warnings: ({ nodeTopology = {} }) => [
    ...labelRequirementWarnings(nodeTopology.matchExpressions, 'nodeTopology.matchExpressions'),
    ...labelMapWarnings(nodeTopology.matchLabels, 'nodeTopology.matchLabels'),
  ],
  columns: [
    nameColumn,
    column('StorageClassName', 'The storage class whose capacity this is.'),
    column('Capacity', 'The capacity that can be provisioned.'),
  ],
  cells: object => [nameCell(object), object.storageClassName ?? '', object.capacity ?? '<unset>'],
};

/** The rules of CSIStorageCapacity objects of v1beta1, which only differs from the stored version in its name. */
export const csiStorageCapacityBetaRules: KindRules<CSIStorageCapacity> = {
  ...csiStorageCapacityRules,
  conversion: {
    toStorage(object) {
      object.apiVersion = `${groups.storage}/v1`;
    },
    fromStorage(object) {
      object.apiVersion = `${groups.storage}/v1beta1`;
    },
  },
};

function validate(object: CSIStorageCapacity): FieldError[] {
  const className = object.storageClassName ?? '';
  const topology = object.nodeTopology;
  return [
    ...validateDnsSubdomain(className).map(message => invalidField('storageClassName', className, message)),
    ...(topology ? validateLabelSelector(topology, fieldPath('nodeTopology')) : []),
    ...(['capacity', 'maximumVolumeSize'] as const).flatMap(field => {
      const value = object[field];
      const amount = value === undefined ? undefined : tryParseQuantity(value);
      return amount !== undefined && amount.nanos < 0n
        ? [invalidField(field, value, 'must be greater than or equal to 0')]
        : [];
    }),
  ];
}

function immutableErrors(object: CSIStorageCapacity, old: CSIStorageCapacity): FieldError[] {
  return (['nodeTopology', 'storageClassName'] as const)
    .filter(field => !equalJson(object[field] ?? null, old[field] ?? null))
    .map(field => invalidField(field, object[field] ?? null, 'field is immutable'));
}
