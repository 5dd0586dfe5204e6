// Written by `make generate` from the proto files. Change those.

import type { Status } from '../meta/v1.ts';
import type { JsonValue, ListMeta, ObjectMeta } from '@binnacle/api-objects';

/** ConversionRequest describes one conversion request. */
export type ConversionRequest = {
  /** The unique identifier of the object. */
  uid?: string;
  /** The desired apiversion. */
  desiredAPIVersion?: string;
  /** The list of objects. */
  objects?: JsonValue[] | null;
};

/** ConversionResponse describes one conversion response. */
export type ConversionResponse = {
  /** The unique identifier of the object. */
  uid?: string;
  /** The list of converted objects. */
  convertedObjects?: JsonValue[] | null;
  /** The result. */
  result?: Status;
};

/** ConversionReview is an object of the apiextensions group. */
export type ConversionReview = {
  apiVersion?: string;
  kind?: string;
  /** The request. */
  request?: ConversionRequest;
  /** The response. */
  response?: ConversionResponse;
};

/** CustomResourceColumnDefinition describes one custom resource column definition. */
export type CustomResourceColumnDefinition = {
  /** The name of the object. */
  name?: string;
  /** The type. */
  type?: string;
  /** The format. */
  format?: string;
  /** Free text for people. */
  description?: string;
  /** The priority. */
  priority?: number;
  /** The json path. */
  jsonPath?: string;
};

/** CustomResourceConversion describes one custom resource conversion. */
export type CustomResourceConversion = {
  /** The strategy. */
  strategy?: string;
  /** The webhook. */
  webhook?: WebhookConversion;
};

/** CustomResourceDefinition is an object of the apiextensions group. */
export type CustomResourceDefinition = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: CustomResourceDefinitionSpec;
  /** The observed state, written by the system. */
  status?: CustomResourceDefinitionStatus;
};

/** CustomResourceDefinitionCondition is one condition in the state of a custom resource definition. */
export type CustomResourceDefinitionCondition = {
  /** The type. */
  type?: string;
  /** The observed state, written by the system. */
  status?: string;
  /** When the status last changed from one value to another. RFC 3339, in whole seconds. */
  lastTransitionTime?: string | null;
  /** Why, as one CamelCase word for programs. */
  reason?: string;
  /** Why, as a sentence for people. */
  message?: string;
};

/** CustomResourceDefinitionList is a list of CustomResourceDefinition objects. */
export type CustomResourceDefinitionList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: CustomResourceDefinition[] | null;
};

/** CustomResourceDefinitionNames describes one custom resource definition names. */
export type CustomResourceDefinitionNames = {
  /** The plural. */
  plural?: string;
  /** The singular. */
  singular?: string;
  /** The list of short names. */
  shortNames?: string[];
  /** The kind of the object. */
  kind?: string;
  /** The list kind. */
  listKind?: string;
  /** The list of categories. */
  categories?: string[];
};

/** CustomResourceDefinitionSpec is the desired state of a custom resource definition. */
export type CustomResourceDefinitionSpec = {
  /** The group. */
  group?: string;
  /** The names. */
  names?: CustomResourceDefinitionNames;
  /** The scope. */
  scope?: string;
  /** The list of versions. */
  versions?: CustomResourceDefinitionVersion[] | null;
  /** The conversion. */
  conversion?: CustomResourceConversion;
  /** Whether preserve unknown fields applies. */
  preserveUnknownFields?: boolean;
};

/** CustomResourceDefinitionStatus is the observed state of a custom resource definition. */
export type CustomResourceDefinitionStatus = {
  /** Aspects of the current state. */
  conditions?: CustomResourceDefinitionCondition[] | null;
  /** The accepted names. */
  acceptedNames?: CustomResourceDefinitionNames;
  /** The list of stored versions. */
  storedVersions?: string[] | null;
};

/** CustomResourceDefinitionVersion describes one custom resource definition version. */
export type CustomResourceDefinitionVersion = {
  /** The name of the object. */
  name?: string;
  /** Whether served applies. */
  served?: boolean;
  /** Whether storage applies. */
  storage?: boolean;
  /** Whether deprecated applies. */
  deprecated?: boolean;
  /** The deprecation warning. */
  deprecationWarning?: string;
  /** The schema. */
  schema?: CustomResourceValidation;
  /** The subresources. */
  subresources?: CustomResourceSubresources;
  /** The list of additional printer columns. */
  additionalPrinterColumns?: CustomResourceColumnDefinition[];
};

/** CustomResourceSubresourceScale describes one custom resource subresource scale. */
export type CustomResourceSubresourceScale = {
  /** The spec replicas path. */
  specReplicasPath?: string;
  /** The status replicas path. */
  statusReplicasPath?: string;
  /** The label selector path. */
  labelSelectorPath?: string;
};

/** CustomResourceSubresourceStatus is the observed state of a custom resource subresource. */
export type CustomResourceSubresourceStatus = {
};

/** CustomResourceSubresources describes one custom resource subresources. */
export type CustomResourceSubresources = {
  /** The observed state, written by the system. */
  status?: CustomResourceSubresourceStatus;
  /** The scale. */
  scale?: CustomResourceSubresourceScale;
};

/** CustomResourceValidation describes one custom resource validation. */
export type CustomResourceValidation = {
  /** The open apiv3 schema. */
  openAPIV3Schema?: JSONSchemaProps;
};

/** ExternalDocumentation describes one external documentation. */
export type ExternalDocumentation = {
  /** Free text for people. */
  description?: string;
  /** The url. */
  url?: string;
};

/** JSONSchemaProps describes one jsonschema props. */
export type JSONSchemaProps = {
  /** The id. */
  id?: string;
  /** The schema. */
  $schema?: string;
  /** The ref. */
  $ref?: string;
  /** Free text for people. */
  description?: string;
  /** The type. */
  type?: string;
  /** The format. */
  format?: string;
  /** The title. */
  title?: string;
  /** The default. */
  default?: JsonValue;
  /** The maximum. */
  maximum?: number | bigint;
  /** Whether exclusive maximum applies. */
  exclusiveMaximum?: boolean;
  /** The minimum. */
  minimum?: number | bigint;
  /** Whether exclusive minimum applies. */
  exclusiveMinimum?: boolean;
  /** The max length. */
  maxLength?: number | bigint;
  /** The min length. */
  minLength?: number | bigint;
  /** The pattern. */
  pattern?: string;
  /** The max items. */
  maxItems?: number | bigint;
  /** The min items. */
  minItems?: number | bigint;
  /** Whether unique items applies. */
  uniqueItems?: boolean;
  /** The multiple of. */
  multipleOf?: number | bigint;
  /** The list of enum. */
  enum?: JsonValue[];
  /** The max properties. */
  maxProperties?: number | bigint;
  /** The min properties. */
  minProperties?: number | bigint;
  /** The list of required. */
  required?: string[];
  /** The objects of the list. */
  items?: JSONSchemaProps | JSONSchemaProps[];
  /** The list of all of. */
  allOf?: JSONSchemaProps[];
  /** The list of one of. */
  oneOf?: JSONSchemaProps[];
  /** The list of any of. */
  anyOf?: JSONSchemaProps[];
  /** The not. */
  not?: JSONSchemaProps;
  /** The properties, by key. */
  properties?: { [key: string]: JSONSchemaProps };
  /** The additional properties. */
  additionalProperties?: boolean | JSONSchemaProps;
  /** The pattern properties, by key. */
  patternProperties?: { [key: string]: JSONSchemaProps };
  /** The dependencies, by key. */
  dependencies?: { [key: string]: JSONSchemaProps | string[] };
  /** The additional items. */
  additionalItems?: boolean | JSONSchemaProps;
  /** The definitions, by key. */
  definitions?: { [key: string]: JSONSchemaProps };
  /** The external docs. */
  externalDocs?: ExternalDocumentation;
  /** The example. */
  example?: JsonValue;
  /** Whether nullable applies. */
  nullable?: boolean;
  /** Whether preserve unknown fields applies. */
  'x-cluster-preserve-unknown-fields'?: boolean;
  /** Whether embedded resource applies. */
  'x-cluster-embedded-type'?: boolean;
  /** Whether int or string applies. */
  'x-cluster-int-or-string'?: boolean;
  /** The list of list map keys. */
  'x-cluster-list-map-keys'?: string[];
  /** The list type. */
  'x-cluster-list-type'?: string;
  /** The map type. */
  'x-cluster-map-type'?: string;
  /** The list of validations. */
  'x-cluster-validations'?: ValidationRule[];
};

/** ServiceReference describes one service reference. */
export type ServiceReference = {
  /** The namespace of the object. */
  namespace?: string;
  /** The name of the object. */
  name?: string;
  /** The path. */
  path?: string;
  /** The port number. */
  port?: number;
};

/** ValidationRule describes one validation rule. */
export type ValidationRule = {
  /** The rule. */
  rule?: string;
  /** Why, as a sentence for people. */
  message?: string;
};

/** WebhookClientConfig describes one webhook client config. */
export type WebhookClientConfig = {
  /** The url. */
  url?: string;
  /** The service. */
  service?: ServiceReference;
  /** The ca bundle. Base64. */
  caBundle?: string;
};

/** WebhookConversion describes one webhook conversion. */
export type WebhookConversion = {
  /** The client config. */
  clientConfig?: WebhookClientConfig;
  /** The list of conversion review versions. */
  conversionReviewVersions?: string[] | null;
};
