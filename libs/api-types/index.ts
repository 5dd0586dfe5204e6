export { approvalCondition } from './apiextensions/api-approval.ts';
export { cleanupFinalizer } from './apiextensions/cleanup-finalizer.ts';
export { type DefinitionCondition, setCondition } from './apiextensions/conditions.ts';
export { definitionSchemas } from './apiextensions/definition-validation.ts';
export { scaleTable } from './autoscaling/scale-table.ts';
export { requestedOrganizations } from './certificates/requested-organizations.ts';
export { type Cidr, parseCidr } from './core/addresses/cidr.ts';
export { endpointAddressErrors, ipFamilyFromAddress } from './core/addresses/ip-addresses.ts';
export {
  type BootstrapToken,
  bootstrapTokenFrom,
  bootstrapTokenNamespace,
  bootstrapTokenPrefix,
  bootstrapTokenTypes,
} from './core/bootstrap-token-secret.ts';
export { componentStatusFrom } from './core/component-status.ts';
export { qosClassFromSpec } from './core/pod/pod-qos.ts';
export { serviceAddress } from './core/service/service-address.ts';
export {
  type AllocationNeed,
  serviceAllocation,
} from './core/service/service-allocation.ts';
export type { IpFamily } from './core/service/service-families.ts';
export { clusterIPReservations, nodePortReservations } from './core/service/service-reservations.ts';
export {
  type CustomDefinition,
  customDefinitionFrom,
  type DefinitionNames,
} from './custom/custom-definition.ts';
export { customTypesFrom } from './custom/custom-types.ts';
export { createLiveTypeRegistry, type LiveTypeRegistry } from './custom/live-registry.ts';
export type { AliasNames, Requester, TableColumn } from './definitions/kind-rules.ts';
export { listMessageName } from './definitions/list-message-name.ts';
export type {
  FieldDefinition,
  FieldType,
  ListFieldType,
  MapType,
  MessageType,
  PatchStrategy,
  ScalarType,
} from './definitions/message-type.ts';
export { objectKey } from './definitions/object-key.ts';
export type {
  CalledService,
  ConversionWebhook,
  ResourceDefinition,
  ScalePaths,
  SubresourceDefinition,
  Verb,
} from './definitions/resource-definition.ts';
export type { GroupDefinition, TypeRegistry } from './definitions/type-registry.ts';
export { buildMessages } from './descriptors/build-messages.ts';
export { messageNamed, messagesWith } from './descriptors/messages.ts';
export type { OptionValue, OptionValues, ProtoField, ProtoMessage } from './descriptors/proto-message.ts';
export { mandatoryFlowSchemas, mandatoryPriorityLevels } from './flowcontrol/mandatory.ts';
export { isBuiltInGroup } from './group-names/built-in-groups.ts';
export { aliasOfGroup, canonicalApiVersion, canonicalGroup } from './group-names/canonical-group.ts';
export { applyDefaults, applyFieldDefaults, createEmptyValue } from './processing/apply-defaults.ts';
export { dropDisabledFields } from './processing/disabled-fields.ts';
export { withDefaultsOfNow, withoutInherited } from './processing/inherited-findings.ts';
export { keepEmptyLists } from './processing/keep-empty-lists.ts';
export { prepareForCreate, prepareForUpdate } from './processing/prepare.ts';
export { validateObject, validateObjectUpdate } from './processing/validate-object.ts';
export {
  isCovered,
  namesCounted,
  type QuotaState,
  quotaStateFrom,
  usageCovered,
} from './quota/quota-state.ts';
export { addUsage, type Usage, usageDifference } from './quota/usage.ts';
export type { ScopeRequirement, UsageEvaluator } from './quota/usage-evaluator.ts';
export { findUsageEvaluator } from './quota/usage-evaluators.ts';
export { isSameReference } from './rbac/same-reference.ts';
export { type AddedTypes, createTypeRegistry } from './registry/registry.ts';
export { type SystemPriorityClass, systemPriorityClasses } from './scheduling/priority-class.ts';
export { isDefaultClass } from './storage/storage-class.ts';
export { programFrom } from './text-patterns/pattern-program.ts';
export { TextMatcher } from './text-patterns/text-matcher.ts';
export { alternativeFor } from './type-check/alternatives.ts';
export { countKeys } from './type-check/count-keys.ts';
export { checkTypes, type TypeCheck } from './type-check/type-check.ts';
export { equalMessages } from './values/equal-values.ts';
export { asObject, asObjects, asText, asTexts } from './values/json-access.ts';
