import {
  type ApiObject,
  duplicateField,
  equalJson,
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidField,
  type JsonObject,
  requiredField,
  validateQualifiedName,
} from '@binnacle/api-objects';
import { csiDriverNameErrors } from '../core/csi-driver-name.ts';
import { specOf } from '../core/service-facts.ts';
import type { KindRules } from '../definitions/definitions.ts';
import { ageColumn, ageOf, column, nameColumn, nameOf } from '../printing/columns.ts';
import { asObject, asObjects, asText, asTexts } from '../values/json-access.ts';
import { isRepeated } from '../values/repeated-values.ts';

/** The rules of CSINode objects: drivers come and go, those that are there stay as they are. */
export const csiNodeRules: KindRules = {
  unconditionalUpdate: false,
  returnsDeletedObject: true,
  validate,
  validateUpdate: immutableDriverErrors,
  columns: [
    nameColumn,
    column('Drivers', 'The number of volume drivers on the node.', { type: 'integer' }),
    ageColumn,
  ],
  cells: (object, now) => [nameOf(object), driversOf(object).length, ageOf(object, now)],
};

const longestNodeId = 256;
const driversPath = fieldPath('spec', 'drivers');

function driversOf(object: ApiObject): JsonObject[] {
  return asObjects(specOf(object)['drivers']);
}

function validate(object: ApiObject): FieldError[] {
  const names = new Set<string>();
  return driversOf(object).flatMap((driver, index) => {
    const at = driversPath.index(index);
    const name = asText(driver['name']);
    const errors = [
      ...csiDriverNameErrors(name, at.child('name')),
      ...nodeIdErrors(asText(driver['nodeID']), at.child('nodeID')),
      ...countErrors(driver, at),
      ...topologyKeyErrors(asTexts(driver['topologyKeys']), at.child('topologyKeys')),
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

function countErrors(driver: JsonObject, path: FieldPath): FieldError[] {
  const count = asObject(driver['allocatable'])?.['count'];
  if (typeof count !== 'number' || count >= 0) return [];
  return [invalidField(path.child('allocatable', 'count'), count, 'must be greater than or equal to 0')];
}

function topologyKeyErrors(keys: readonly string[], path: FieldPath): FieldError[] {
  return keys.flatMap((key, index) => {
    if (key === '') return [requiredField(path)];
    if (isRepeated(keys, index)) return [duplicateField(path, key)];
    return validateQualifiedName(key).map(message => invalidField(path, key, message));
  });
}

function immutableDriverErrors(object: ApiObject, old: ApiObject): FieldError[] {
  const before = new Map(driversOf(old).map(driver => [asText(driver['name']), driver]));
  return driversOf(object).flatMap((driver, index) => {
    const previous = before.get(asText(driver['name']));
    if (previous === undefined || equalJson(previous, driver)) return [];
    return [invalidField(driversPath.index(index), driver, 'field is immutable')];
  });
}
