export { formatDuration, parseDuration } from './duration.ts';
export {
  causeFromFieldError,
  duplicateField,
  type FieldError,
  type FieldErrorType,
  fieldErrorMessage,
  forbiddenField,
  internalField,
  invalidField,
  notFoundField,
  notSupportedField,
  requiredField,
  tooLongField,
  tooManyField,
  typeInvalidField,
} from './field-error.ts';
export { FieldPath, fieldPath } from './field-path.ts';
export {
  escapeFieldValue,
  everyField,
  type FieldRequirement,
  type FieldSelector,
  fieldSelectorOf,
  parseFieldSelector,
} from './field-selector.ts';
export {
  apiVersionOf,
  type GroupVersion,
  type GroupVersionKind,
  type GroupVersionResource,
  parseApiVersion,
} from './group-version.ts';
export { humanDuration } from './human-duration.ts';
export { type IntOrString, isIntOrString, parsePercent, scaledIntOrPercent } from './int-or-string.ts';
export {
  copyJson,
  equalJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownProperty,
  setOwnProperty,
} from './json.ts';
export {
  type LabelOperator,
  type LabelRequirement,
  type Labels,
  labelRequirement,
  labelRequirementText,
  validateLabelRequirement,
} from './label-requirement.ts';
export {
  everything,
  type LabelSelector,
  labelSelectorFrom,
  labelSelectorOf,
  nothing,
  parseLabelSelector,
  validateLabelSelector,
} from './label-selector.ts';
export { generateNameFrom, randomSuffix, randomUid } from './name-generator.ts';
export {
  isDns1035Label,
  isDnsLabel,
  isDnsSubdomain,
  isLabelValue,
  isQualifiedName,
  type NameRule,
  validateCIdentifier,
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
  validateSocketAddress,
} from './network-names.ts';
export {
  maskTrailingDash,
  type ObjectMetaRules,
  validateAnnotations,
  validateFieldManager,
  validateLabels,
  validateManagedFields,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from './object-meta-validation.ts';
export type { ApiObject, ListMeta, ManagedFieldsEntry, ObjectMeta, OwnerReference } from './objects.ts';
export { removeDuplicateOwnerReferences } from './owner-references.ts';
export {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  negateQuantity,
  parseQuantity,
  type Quantity,
  type QuantityFormat,
  quantityFromInteger,
  quantityFromMilli,
  quantityToNumber,
  quantityToScaled,
  roundUpQuantity,
  subtractQuantities,
  tryParseQuantity,
} from './quantity.ts';
export { parseResourceVersion, type ResourceVersion, resourceVersionFrom } from './resource-version.ts';
export {
  type Instant,
  microTimestampFrom,
  microTimestampOf,
  parseInstant,
  parseTimestamp,
  timestampFrom,
} from './time.ts';
