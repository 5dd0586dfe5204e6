// Written by `make generate` from the proto files. Change those.

import type { LabelSelector } from '../meta/v1.ts';
import type { ListMeta, ObjectMeta } from '@binnacle/api-objects';

/** MutatingWebhook describes one mutating webhook. */
export type MutatingWebhook = {
  /** The name of the object. */
  name?: string;
  /** The client config. */
  clientConfig?: WebhookClientConfig;
  /** The list of rules. */
  rules?: RuleWithOperations[];
  /** The failure policy. */
  failurePolicy?: 'Ignore' | 'Fail';
  /** The match policy. */
  matchPolicy?: 'Exact' | 'Equivalent';
  /** Labels that select the namespaces concerned. */
  namespaceSelector?: LabelSelector;
  /** The object selector. */
  objectSelector?: LabelSelector;
  /** The side effects. */
  sideEffects?: 'Unknown' | 'None' | 'Some' | 'NoneOnDryRun';
  /** The timeout seconds. */
  timeoutSeconds?: number;
  /** The list of admission review versions. */
  admissionReviewVersions?: string[] | null;
  /** The reinvocation policy. */
  reinvocationPolicy?: 'Never' | 'IfNeeded';
};

/** MutatingWebhookConfiguration is an object of the admissionregistration group. */
export type MutatingWebhookConfiguration = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The list of webhooks. */
  webhooks?: MutatingWebhook[];
};

/** MutatingWebhookConfigurationList is a list of MutatingWebhookConfiguration objects. */
export type MutatingWebhookConfigurationList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: MutatingWebhookConfiguration[] | null;
};

/** Rule matches resources; every list must match. */
export type Rule = {
  /** The groups; '*' for all. */
  apiGroups?: string[];
  /** The versions; '*' for all. */
  apiVersions?: string[];
  /** The resources, with subresources as resource/subresource; '*' for all. */
  resources?: string[];
  /** Cluster-scoped resources, namespaced ones, or both. */
  scope?: 'Cluster' | 'Namespaced' | '*';
};

/** RuleWithOperations matches operations on resources. */
export type RuleWithOperations = {
  /** The operations; '*' for all. */
  operations?: ('*' | 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT')[];
  /** The groups; '*' for all. */
  apiGroups?: string[];
  /** The versions; '*' for all. */
  apiVersions?: string[];
  /** The resources, with subresources as resource/subresource; '*' for all. */
  resources?: string[];
  /** Cluster-scoped resources, namespaced ones, or both. */
  scope?: 'Cluster' | 'Namespaced' | '*';
};

/** ServiceReference names a service and a path. */
export type ServiceReference = {
  /** The namespace of the service. */
  namespace?: string;
  /** The name of the service. */
  name?: string;
  /** The path to call. */
  path?: string;
  /** The port of the service. */
  port?: number;
};

/** ValidatingWebhook is a webhook that may refuse a write, and the writes it reviews. */
export type ValidatingWebhook = {
  /** The name of the webhook, with at least three dotted parts. */
  name?: string;
  /** How to reach the webhook. */
  clientConfig?: WebhookClientConfig;
  /** The operations and resources that the webhook reviews. */
  rules?: RuleWithOperations[];
  /** Whether a webhook that cannot be asked counts as refusal or as consent. */
  failurePolicy?: 'Ignore' | 'Fail';
  /** Whether requests through other versions of a resource match too. */
  matchPolicy?: 'Exact' | 'Equivalent';
  /** Labels of the namespaces that the webhook reviews. */
  namespaceSelector?: LabelSelector;
  /** Labels of the objects that the webhook reviews. */
  objectSelector?: LabelSelector;
  /** Whether a call changes anything elsewhere. */
  sideEffects?: 'Unknown' | 'None' | 'Some' | 'NoneOnDryRun';
  /** How long an answer may take, at most 30 seconds. */
  timeoutSeconds?: number;
  /** Versions of AdmissionReview that the webhook understands, the preferred one first. */
  admissionReviewVersions?: string[] | null;
};

/** ValidatingWebhookConfiguration lists webhooks that may refuse a write. */
export type ValidatingWebhookConfiguration = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The webhooks. */
  webhooks?: ValidatingWebhook[];
};

/** ValidatingWebhookConfigurationList is a list of ValidatingWebhookConfiguration objects. */
export type ValidatingWebhookConfigurationList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: ValidatingWebhookConfiguration[] | null;
};

/** WebhookClientConfig says how a webhook is reached: by url or as service. */
export type WebhookClientConfig = {
  /** The https address of the webhook. */
  url?: string;
  /** The service behind which the webhook runs. */
  service?: ServiceReference;
  /** Certificates of the authorities that the webhook's certificate is checked against. Base64. */
  caBundle?: string;
};
