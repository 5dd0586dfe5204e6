export { canonicalGroup } from './canonical-group.ts';
export { bindingErrors } from './core/binding.ts';
export { type ComponentHealth, componentStatusFrom } from './core/component-status.ts';
export type {
  FieldDefinition,
  FieldType,
  GroupDefinition,
  KindRules,
  ListFieldType,
  ListType,
  MapType,
  MessageType,
  PatchStrategy,
  ResourceDefinition,
  ScalarType,
  ScalePaths,
  SubresourceDefinition,
  TableColumn,
  TypeRegistry,
  Verb,
  VersionConversion,
} from './definitions.ts';
export { exampleTypes } from './example/example-types.ts';
export { messageNamed, messagesWith } from './messages.ts';
export { objectKey } from './object-key.ts';
export { applyDefaults } from './processing/apply-defaults.ts';
export { prepareForCreate, prepareForUpdate, type UpdateFrom } from './processing/prepare.ts';
export { validateObject, validateObjectUpdate } from './processing/validate-object.ts';
export { type AddedTypes, createTypeRegistry, type TypeRegistryOptions } from './registry.ts';
export { type SystemPriorityClass, systemPriorityClasses } from './scheduling/priority-class.ts';
export { isDefaultClass } from './storage/storage-class.ts';
