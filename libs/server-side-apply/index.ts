export { type ApplyResult, apply, applySteps } from './apply.ts';
export { emptyFieldSet, type FieldSet, fieldSetOfPaths, type Path } from './field-sets/field-set.ts';
export { fieldElement } from './field-sets/path-element.ts';
export { conflictError } from './managers/conflicts.ts';
export {
  decodeLongManagedFields,
  decodeManagedFields,
  encodeLongManagedFields,
  encodeManagedFields,
  equalExceptTimes,
  equalExceptTimesSteps,
  type ManagedFields,
  noManagers,
} from './managers/managed-fields.ts';
export { withoutManagedFields } from './managers/request.ts';
export { managersFromScale, managersOfScale } from './managers/scale-managers.ts';
export {
  type Converting,
  convertedInTime,
  type ServedVersions,
  type WantedConversion,
} from './managers/versions.ts';
export { createEmptyObject } from './schemas/empty-object.ts';
export { schemaFromMessage } from './schemas/message-schema.ts';
export type { TypedSchema } from './schemas/typed-schema.ts';
export { recordFullySteps, recordPlainly, type UpdateRequest, update, updateSteps } from './update.ts';
