import {
  type ApiObject,
  equalJson,
  type FieldError,
  fieldPath,
  invalidField,
  tryParseQuantity,
  validateDnsSubdomain,
  validateLabelSelector,
} from '@binnacle/api-objects';
import type { KindRules } from '../definitions/definitions.ts';
import { column, nameColumn, nameOf } from '../printing/columns.ts';
import { asObject, asText } from '../values/json-access.ts';

/** The rules of CSIStorageCapacity objects: what is measured stays as created, the measure changes. */
export const csiStorageCapacityRules: KindRules = {
  unconditionalUpdate: false,
  validate,
  validateUpdate: immutableErrors,
  columns: [
    nameColumn,
    column('StorageClassName', 'The storage class whose capacity this is.'),
    column('Capacity', 'What can be provisioned.'),
  ],
  cells: object => [
    nameOf(object),
    asText(object['storageClassName']),
    object['capacity'] === undefined ? '<unset>' : String(object['capacity']),
  ],
};

/** The rules of CSIStorageCapacity objects of the beta version, which differs from the stored one in name only. */
export const csiStorageCapacityBetaRules: KindRules = {
  ...csiStorageCapacityRules,
  conversion: {
    toStorage(object) {
      object.apiVersion = 'storage.cluster.io/v1';
    },
    fromStorage(object) {
      object.apiVersion = 'storage.cluster.io/v1beta1';
    },
  },
};

function validate(object: ApiObject): FieldError[] {
  const className = asText(object['storageClassName']);
  const topology = asObject(object['nodeTopology']);
  return [
    ...validateDnsSubdomain(className).map(message => invalidField('storageClassName', className, message)),
    ...(topology ? validateLabelSelector(topology, fieldPath('nodeTopology')) : []),
    ...['capacity', 'maximumVolumeSize'].flatMap(field => {
      const value = object[field];
      const amount = value === undefined ? undefined : tryParseQuantity(String(value));
      return amount !== undefined && amount.nanos < 0n
        ? [invalidField(field, value, 'must be greater than or equal to 0')]
        : [];
    }),
  ];
}

function immutableErrors(object: ApiObject, old: ApiObject): FieldError[] {
  return ['nodeTopology', 'storageClassName']
    .filter(field => !equalJson(object[field] ?? null, old[field] ?? null))
    .map(field => invalidField(field, object[field] ?? null, 'field is immutable'));
}
