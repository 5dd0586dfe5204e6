import {
  duplicateField,
  equalJson,
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidField,
  requiredField,
  validateQualifiedName,
} from '@binnacle/api-objects';
import { csiDriverNameErrors } from '../core/volume/csi-driver-name.ts';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { CSINode, CSINodeDriver } from '../generated/storage/v1.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../printing/columns.ts';
import { isRepeated } from '../values/repeated-values.ts';

/** The rules of CSINode objects: drivers may be added and removed, existing ones are immutable. */
export const csiNodeRules: KindRules<CSINode> = {
  unconditionalUpdate: false,
  returnsDeletedObject: true,
  validate,
  validateUpdate: immutableDriverErrors,
  columns: [
    nameColumn,
    column('Drivers', 'The number of volume drivers on the node.', { type: 'integer' }),
    ageColumn,
  ],
  cells: (object, now) => [nameCell(object), readDrivers(object).length, ageCell(object, now)],
};

const longestNodeId = 256;
const driversPath = fieldPath('spec', 'drivers');

function readDrivers(object: CSINode): CSINodeDriver[] {
  return object.spec?.drivers ?? [];
}

function validate(object: CSINode): FieldError[] {
  const names = new Set<string>();
  return readDrivers(object).flatMap((driver, index) => {
    const at = driversPath.index(index);
    const { name = '', nodeID = '' } = driver;
    const errors = [
      ...csiDriverNameErrors(name, at.child('name')),
      ...nodeIdErrors(nodeID, at.child('nodeID')),
      ...countErrors(driver, at),
      ...topologyKeyErrors(driver.topologyKeys ?? [], at.child('topologyKeys')),
    ];
    if (names.has(name)) errors.push(duplicateField(at.child('name'), name));
    names.add(name);
    return errors;
  });
}

function nodeIdErrors(id: string, path: FieldPath): FieldError[] {
  if (id === '') return [requiredField(path)];
  return id.length > longestNodeId
    ? [invalidField(path, id, `must be no more than ${longestNodeId} characters`)]
    : [];
}

function countErrors(driver: CSINodeDriver, path: FieldPath): FieldError[] {
  const count = driver.allocatable?.count;
  if (count === undefined || count >= 0) return [];
  return [invalidField(path.child('allocatable', 'count'), count, 'must be greater than or equal to 0')];
}

function topologyKeyErrors(keys: readonly string[], path: FieldPath): FieldError[] {
  return keys.flatMap((key, index) => {
    if (key === '') return [requiredField(path)];
    if (isRepeated(keys, index)) return [duplicateField(path, key)];
    return validateQualifiedName(key).map(message => invalidField(path, key, message));
  });
}

function immutableDriverErrors(object: CSINode, old: CSINode): FieldError[] {
  const before = new Map(readDrivers(old).map(driver => [driver.name ?? '', driver]));
  return readDrivers(object).flatMap((driver, index) => {
    const previous = before.get(driver.name ?? '');
    if (previous === undefined || equalJson(previous, driver)) return [];
    return [invalidField(driversPath.index(index), driver, 'field is immutable')];
  });
}
