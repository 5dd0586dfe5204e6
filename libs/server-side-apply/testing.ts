/** The parts of server-side apply, for its tests. */

export {
  difference,
  equalFieldSets,
  intersection,
  leaves,
  recursiveDifference,
  union,
} from './field-sets/algebra.ts';
export { hasPath, listPaths } from './field-sets/field-set.ts';
export { fieldSetFromJson, fieldSetToJson } from './field-sets/fields-v1.ts';
export {
  comparePathElements,
  indexElement,
  keyElement,
  type PathElement,
  parsePathElement,
  pathText,
  valueElement,
} from './field-sets/path-element.ts';
export { conflictsText } from './managers/conflicts.ts';
export { equalManagers, type FieldManagers, managersDifference } from './managers/field-managers.ts';
export { mergeConfiguration } from './managers/merge-configuration.ts';
export { recordUpdate } from './managers/record-update.ts';
export type { Versions } from './managers/versions.ts';
export {
  type FieldSchema,
  type ListKey,
  type MapSchema,
  type ScalarKind,
  untypedAtomic,
  untypedDeduced,
} from './schemas/typed-schema.ts';
export { compare } from './values/compare.ts';
export { extractItems } from './values/extract-items.ts';
export { fieldSetFromValue } from './values/field-set-from-value.ts';
export { merge } from './values/merge.ts';
export { withNamedFields } from './values/named-fields.ts';
export { reconcile } from './values/reconcile.ts';
export { removeItems } from './values/remove-items.ts';
export { untypedFieldSetFromValue } from './values/untyped-field-set.ts';
export { faultsText, validate } from './values/validate.ts';
