import {
  type ApiObject,
  everything,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type LabelSelector,
  labelSelectorFrom,
} from '@binnacle/api-objects';
import { canonicalGroup } from '@binnacle/api-types';
import type { ServiceReference } from '@binnacle/proto';

/** One rule of a webhook (spec 2, "Webhook configuration objects"). */
export interface WebhookRule {
  readonly operations: ReadonlySet<string>;
  /** Canonical names, or `*`. */
  readonly apiGroups: ReadonlySet<string>;
  readonly apiVersions: ReadonlySet<string>;
  readonly resources: readonly string[];
  readonly scope: 'Cluster' | 'Namespaced' | '*';
}

/** One webhook of a configuration, ready for use. */
export interface Webhook {
  /** What tells it from all others: names of webhooks repeat from configuration to configuration. */
  readonly id: string;
  readonly name: string;
  /** Name of the configuration object that it stands in. */
  readonly configuration: string;
  readonly rules: readonly WebhookRule[];
  /** Whether a rule holds for the other versions and groups of the resources that it names, too. */
  readonly matchesEquivalents: boolean;
  readonly namespaceSelector: LabelSelector;
  readonly objectSelector: LabelSelector;
  /** What happens when the webhook cannot be asked. */
  readonly failurePolicy: 'Ignore' | 'Fail';
  readonly timeoutSeconds: number;
  /** Whether it wants to see what was changed after it changed the object; of mutating webhooks only. */
  readonly reinvocable: boolean;
  /** Whether it may be called in a dry run. */
  readonly supportsDryRun: boolean;
  /** The first version of AdmissionReview that both sides know; undefined when there is none. */
  readonly reviewVersion: 'v1' | 'v1beta1' | undefined;
  /** '' when a service is named. */
  readonly url: string;
  readonly service: ServiceReference | undefined;
  /** PEM; empty means the system's roots. */
  readonly caBundle: Uint8Array;
}

const knownReviewVersions: readonly string[] = ['v1', 'v1beta1'];

/** Reads the webhooks of a configuration object, in their order; what is unset has its default. */
export function webhooksOf(configuration: ApiObject): readonly Webhook[] {
  return objects(configuration['webhooks']).map(webhook =>
    webhookFrom(webhook, configuration.metadata.name ?? ''),
  );
}

function webhookFrom(webhook: JsonObject, configuration: string): Webhook {
  const { url, service, caBundle } = objectAt(webhook, 'clientConfig');
  const { timeoutSeconds, sideEffects } = webhook;
  const reviewVersion = texts(webhook['admissionReviewVersions']).find(version =>
    knownReviewVersions.includes(version),
  );
  const name = text(webhook['name']);
  return {
    id: `${configuration}/${name}`,
    name,
    configuration,
    rules: objects(webhook['rules']).map(ruleFrom),
    matchesEquivalents: webhook['matchPolicy'] !== 'Exact',
    namespaceSelector: selectorFrom(webhook['namespaceSelector']),
    objectSelector: selectorFrom(webhook['objectSelector']),
    failurePolicy: webhook['failurePolicy'] === 'Ignore' ? 'Ignore' : 'Fail',
    timeoutSeconds: typeof timeoutSeconds === 'number' ? timeoutSeconds : 10,
    reinvocable: webhook['reinvocationPolicy'] === 'IfNeeded',
    supportsDryRun: sideEffects === 'None' || sideEffects === 'NoneOnDryRun',
    reviewVersion: reviewVersion as Webhook['reviewVersion'], // One of the known ones.
    url: text(url),
    service: isJsonObject(service) ? serviceFrom(service) : undefined,
    caBundle: Buffer.from(text(caBundle), 'base64'),
  };
}

/** Reads one rule; what is unset has its default. */
export function ruleFrom(rule: JsonObject): WebhookRule {
  const scope = rule['scope'];
  return {
    operations: new Set(texts(rule['operations'])),
    apiGroups: new Set(texts(rule['apiGroups']).map(canonicalGroup)),
    apiVersions: new Set(texts(rule['apiVersions'])),
    resources: texts(rule['resources']),
    scope: scope === 'Cluster' || scope === 'Namespaced' ? scope : '*',
  };
}

function serviceFrom(service: JsonObject): ServiceReference {
  const { namespace, name, path, port } = service;
  return {
    namespace: text(namespace),
    name: text(name),
    path: text(path) || '/',
    port: typeof port === 'number' ? port : 443,
  };
}

/** Reads a selector; one that cannot be read, which validation does not let through, leaves nothing out. */
export function selectorFrom(selector: JsonValue | undefined): LabelSelector {
  try {
    return labelSelectorFrom(selector ?? {});
  } catch {
    return everything;
  }
}

function objectAt(parent: JsonObject, key: string): JsonObject {
  const value = parent[key];
  return isJsonObject(value) ? value : {};
}

function objects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function texts(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter(item => typeof item === 'string') : [];
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
