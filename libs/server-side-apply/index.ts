export { type ApplyRequest, type ApplyResult, apply, applySteps } from './apply.ts';
export {
  difference,
  equalFieldSets,
  intersection,
  leaves,
  recursiveDifference,
  union,
} from './field-sets/algebra.ts';
export {
  emptyFieldSet,
  type FieldSet,
  fieldSetOfPaths,
  hasPath,
  isEmptyFieldSet,
  type Path,
  pathsOf,
} from './field-sets/field-set.ts';
export { fieldSetFromJson, fieldSetToJson } from './field-sets/fields-v1.ts';
export {
  comparePathElements,
  fieldElement,
  indexElement,
  keyElement,
  type PathElement,
  parsePathElement,
  pathText,
  sortPathElements,
  valueElement,
} from './field-sets/path-element.ts';
export { unchangedSinceLastApplied, withLastApplied } from './last-applied.ts';
export { capUpdateManagers, updateManagerLimit } from './managers/cap-update-managers.ts';
export { type Conflict, conflictError, conflictsOf, conflictsText } from './managers/conflicts.ts';
export {
  equalManagers,
  type FieldManager,
  type FieldManagers,
  managersDifference,
} from './managers/field-managers.ts';
export {
  decodeManagedFields,
  encodeManagedFields,
  equalExceptTimes,
  type ManagedFields,
  noManagers,
} from './managers/managed-fields.ts';
export {
  type ManagerId,
  type ManagerIdentity,
  type ManagerOperation,
  managerIdOf,
  managerText,
  parseManagerId,
} from './managers/manager-id.ts';
export {
  type MergeConfigurationRequest,
  type MergeConfigurationResult,
  mergeConfiguration,
} from './managers/merge-configuration.ts';
export { type RecordUpdateRequest, recordUpdate } from './managers/record-update.ts';
export type { ManagedWrite } from './managers/request.ts';
export { managersFromScale, managersOfScale, type ReplicasPaths } from './managers/scale-managers.ts';
export { unmanagedFields } from './managers/unmanaged-fields.ts';
export {
  type Converting,
  convertedInTime,
  type ServedVersions,
  singleVersion,
  type Versions,
  type VersionView,
  type WantedConversion,
} from './managers/versions.ts';
export { emptyObjectOf } from './schemas/empty-object.ts';
export { typedSchemaOf } from './schemas/message-schema.ts';
export {
  type FieldSchema,
  type ListKey,
  type ListSchema,
  type MapSchema,
  type ScalarKind,
  type TypedSchema,
  untypedAtomic,
  untypedDeduced,
} from './schemas/typed-schema.ts';
export { type UpdateRequest, update, updateSteps } from './update.ts';
export { type Comparison, compare } from './values/compare.ts';
export { extractItems } from './values/extract-items.ts';
export { fieldSetOf } from './values/field-set-of.ts';
export { merge } from './values/merge.ts';
export { withNamedFields } from './values/named-fields.ts';
export { reconcile } from './values/reconcile.ts';
export { removeItems } from './values/remove-items.ts';
export { untypedFieldSetOf } from './values/untyped-field-set.ts';
export { faultsText, validate } from './values/validate.ts';
