export { type ApiGateName, type ApiGateStates, apiGates, defaultApiGates } from './api-gates.ts';
export { durationNanoseconds, formatDuration, parseDuration, parseSchemaDuration } from './duration.ts';
export {
  causeFromFieldError,
  duplicateField,
  type FieldError,
  type FieldErrorType,
  fieldErrorMessage,
  forbiddenField,
  invalidField,
  notFoundField,
  notSupportedField,
  requiredField,
  tooLongField,
  tooManyField,
  typeInvalidField,
} from './field-error.ts';
export { FieldPath, fieldPath } from './field-path.ts';
export { createFieldSelector, everyField, type FieldSelector, parseFieldSelector } from './field-selector.ts';
export {
  formatApiVersion,
  type GroupVersionKind,
  parseApiVersion,
  splitApiVersion,
} from './group-version.ts';
export { humanDuration } from './human-duration.ts';
export { isIntOrString, parsePercent } from './int-or-string.ts';
export {
  copyJson,
  copyJsonSteps,
  equalJson,
  equalJsonExcept,
  equalJsonSteps,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownProperty,
  setOwnProperty,
} from './json.ts';
export {
  isInt64,
  isNumber,
  NumberOutOfRange,
  numberFromDouble,
  numberFromInteger,
  numberFromText,
  readJson,
} from './json-text.ts';
export type { LabelRequirement } from './label-requirement.ts';
export {
  everything,
  type LabelSelector,
  labelSelectorFrom,
  parseLabelSelector,
  validateLabelSelector,
} from './label-selector.ts';
export { LargeContainers, valuesAtOnce } from './large-containers.ts';
export { generateNameFrom, randomSuffix, randomUid } from './name-generator.ts';
export {
  type NameRule,
  validateConfigMapKey,
  validateDns1035Label,
  validateDnsLabel,
  validateDnsSubdomain,
  validateDomainPrefixedPath,
  validateFullyQualifiedDomainName,
  validateFullyQualifiedName,
  validateHttpHeaderName,
  validateLabelValue,
  validatePathSegmentName,
  validatePercent,
  validateQualifiedName,
  validateWildcardDnsSubdomain,
} from './names.ts';
export {
  canonicalIpAddress,
  validateIPv4Address,
  validateIPv6Address,
  validateIpAddress,
  validatePortName,
  validatePortNumber,
  validateProcessId,
} from './network-names.ts';
export { nextGeneration } from './next-generation.ts';
export { nodeOfUser } from './node-user.ts';
export {
  validateAnnotations,
  validateDeletionUntouched,
  validateFieldManager,
  validateLabels,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from './object-meta-validation.ts';
export {
  assertObjectSize,
  completedByteLimit,
  completionFault,
  countValues,
  DefaultsTooLarge,
  hasTooManyValues,
  objectValueLimit,
} from './object-size.ts';
export type { ApiObject, ListMeta, ManagedFieldsEntry, ObjectMeta, OwnerReference } from './objects.ts';
export { removeDuplicateOwnerReferences } from './owner-references.ts';
export { pathText } from './path-text.ts';
export {
  addQuantities,
  compareQuantities,
  formatQuantity,
  type Quantity,
  quantityFromInteger,
  quantityToNumber,
  quantityToScaled,
  roundUpQuantity,
  storedQuantity,
  subtractQuantities,
  tryParseQuantity,
} from './quantity.ts';
export { readJsonSteps } from './read-json-steps.ts';
export { parseResourceVersion } from './resource-version.ts';
export {
  formatMicroTimestamp,
  microTimestampFrom,
  parseInstant,
  parseTimestamp,
  timestampFrom,
} from './time.ts';
export { writeJsonSteps } from './write-json-steps.ts';
