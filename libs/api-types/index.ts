export { approvalCondition } from './apiextensions/api-approval.ts';
export { cleanupFinalizer } from './apiextensions/cleanup-finalizer.ts';
export { conditionHolds, type DefinitionCondition, setCondition } from './apiextensions/conditions.ts';
export { type DefinitionSchema, definitionSchemas } from './apiextensions/definition-validation.ts';
export { matchPattern, type PatternVerdict } from './apiextensions/pattern.ts';
export { requestedOrganizations } from './certificates/requested-organizations.ts';
export { bindingErrors } from './core/binding.ts';
export { type Cidr, parseCidr } from './core/cidr.ts';
export { type ComponentHealth, componentStatusFrom } from './core/component-status.ts';
export { conditionsErrors } from './core/condition-validation.ts';
export { qosClassOf } from './core/pod-qos.ts';
export { serviceAddress } from './core/service-address.ts';
export { type AllocationNeed, type ServiceAllocation, serviceAllocation } from './core/service-allocation.ts';
export { clusterIPClaims, nodePortClaims } from './core/service-claims.ts';
export type { IpFamily } from './core/service-families.ts';
export {
  type ConversionCall,
  type ConversionCalls,
  ConversionFailed,
  callConversionWebhook,
  conversionTimeoutSeconds,
  type WebhookConverted,
} from './custom/conversion/call-conversion-webhook.ts';
export {
  type CustomDefinition,
  customDefinitionFrom,
  type DefinitionNames,
  type DefinitionVersion,
} from './custom/custom-definition.ts';
export { customTypesFrom } from './custom/custom-types.ts';
export { createLiveTypeRegistry, type LiveTypeRegistry } from './custom/live-registry.ts';
export type {
  AliasNames,
  CalledService,
  ConversionWebhook,
  FieldDefinition,
  FieldType,
  GroupDefinition,
  KindRules,
  ListFieldType,
  ListType,
  MapType,
  MessageType,
  PatchStrategy,
  Requester,
  ResourceDefinition,
  ScalarType,
  ScalePaths,
  SchemaMismatch,
  SchemaStructure,
  StoredMigration,
  SubresourceDefinition,
  TableColumn,
  TypeRegistry,
  Verb,
  VersionConversion,
} from './definitions/definitions.ts';
export { listMessageName } from './definitions/list-message-name.ts';
export { objectKey } from './definitions/object-key.ts';
export { buildMessages } from './descriptors/build-messages.ts';
export { messageNamed, messagesWith } from './descriptors/messages.ts';
export type { OptionValue, OptionValues, ProtoField, ProtoMessage } from './descriptors/proto-message.ts';
export { exampleTypes } from './example/example-types.ts';
export { mandatoryFlowSchemas, mandatoryPriorityLevels } from './flowcontrol/mandatory.ts';
export { builtInGroups, isBuiltInGroup } from './group-names/built-in-groups.ts';
export { canonicalGroup } from './group-names/canonical-group.ts';
export { valuesAt } from './json-path/json-path.ts';
export { parseJsonPath } from './json-path/json-path-parser.ts';
export { applyDefaults, emptyValueOf } from './processing/apply-defaults.ts';
export { prepareForCreate, prepareForUpdate, type UpdateFrom } from './processing/prepare.ts';
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
export { usageEvaluatorOf } from './quota/usage-evaluators.ts';
export { type AddedTypes, createTypeRegistry, type TypeRegistryOptions } from './registry/registry.ts';
export { type SystemPriorityClass, systemPriorityClasses } from './scheduling/priority-class.ts';
export { isDefaultClass } from './storage/storage-class.ts';
export { alternativeFor } from './type-check/alternatives.ts';
export { countKeys } from './type-check/count-keys.ts';
export { pathText } from './type-check/path-text.ts';
export { checkTypes, type TypeCheck } from './type-check/type-check.ts';
export {
  asList,
  asNumber,
  asObject,
  asObjects,
  asText,
  asTexts,
  ensureObject,
} from './values/json-access.ts';
