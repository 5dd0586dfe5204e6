import { type FieldError, fieldPath, forbiddenField, invalidField } from '@binnacle/api-objects';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { PriorityClass } from '../generated/scheduling/v1.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../printing/columns.ts';

/** Maximum value of a class that is not a system class. */
const highestUserPriority = 1_000_000_000;

/** A built-in class for components of the cluster. */
export interface SystemPriorityClass {
  readonly name: string;
  readonly value: number;
  readonly description: string;
}

/** The classes that the server creates; other classes must not use the prefix of their names. */
export const systemPriorityClasses: readonly SystemPriorityClass[] = [
  {
    name: 'system-node-critical',
    value: 2_000_001_000,
    description: 'Used for system critical pods that must not be moved from their current node.',
  },
  {
    name: 'system-cluster-critical',
    value: 2_000_000_000,
    description:
      'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  },
];

/**
 * The rules of PriorityClass objects: value and preemption policy are immutable; names and values of system classes are reserved.
 */
export const priorityClassRules: KindRules<PriorityClass> = {
  prepareForCreate(object) {
    object.metadata.generation = 1;
  },
  deletionRefusal: object =>
    systemPriorityClasses.some(({ name }) => name === nameCell(object))
      ? 'this is a system priority class and cannot be deleted'
      : undefined,
  validate,
  validateUpdate,
  columns: [
    nameColumn,
    column('Value', 'The priority of pods of the class.', { type: 'integer' }),
    column('Global-Default', 'Whether pods that name no class get this one.', { type: 'boolean' }),
    ageColumn,
  ],
  cells: (object, now) => [
    nameCell(object),
    object.value ?? 0,
    object.globalDefault === true,
    ageCell(object, now),
  ],
};

const systemPrefix = 'system-';

function validate(object: PriorityClass): FieldError[] {
  const name = nameCell(object);
  const value = object.value ?? 0;
  if (name.startsWith(systemPrefix)) {
    const isKnown = systemPriorityClasses.some(known => known.name === name && known.value === value);
    const detail = `names with the prefix '${systemPrefix}' are reserved for system classes with their values`;
    return isKnown ? [] : [forbiddenField(fieldPath('metadata', 'name'), detail)];
  }
  if (value <= highestUserPriority) return [];
  return [forbiddenField('value', `values above ${highestUserPriority} are reserved for system classes`)];
}

function validateUpdate(object: PriorityClass, old: PriorityClass): FieldError[] {
  const errors: FieldError[] = [];
  if ((object.value ?? 0) !== (old.value ?? 0))
    errors.push(forbiddenField('value', 'may not be changed in an update'));
  if ((object.preemptionPolicy ?? '') !== (old.preemptionPolicy ?? ''))
    errors.push(invalidField('preemptionPolicy', object.preemptionPolicy ?? null, 'field is immutable'));
  return errors;
}
