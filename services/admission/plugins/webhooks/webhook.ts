import { type ApiObject, everything, type LabelSelector, labelSelectorFrom } from '@binnacle/api-objects';
import { canonicalGroup } from '@binnacle/api-types';
import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
  RuleWithOperations,
  ValidatingWebhookConfiguration,
  WebhookClientConfig,
} from '@binnacle/api-types/admissionregistration/v1';
import type { LabelSelector as SelectorObject } from '@binnacle/api-types/meta/v1';
import type { ServiceReference } from '@binnacle/proto';
import { authorNames, type ShownNames } from '../../chain/shown-names.ts';

/** One rule of a webhook (spec 2, "Webhook configuration objects"). */
export interface WebhookRule {
  readonly operations: ReadonlySet<string>;
  /** Groups as written, and their names where they are aliases; or `*`. */
  readonly apiGroups: ReadonlySet<string>;
  readonly apiVersions: ReadonlySet<string>;
  readonly resources: readonly string[];
  readonly scope: 'Cluster' | 'Namespaced' | '*';
}

/** One webhook of a configuration, parsed. */
export interface Webhook {
  /** Identity of the webhook: names are unique only within a configuration. */
  readonly id: string;
  readonly name: string;
  /** Name of its configuration object. */
  readonly configuration: string;
  readonly rules: readonly WebhookRule[];
  /** Whether a rule also applies to other versions and groups of the resources that it names. */
  readonly matchesEquivalents: boolean;
  readonly namespaceSelector: LabelSelector;
  readonly objectSelector: LabelSelector;
  /** The treatment of a webhook that cannot be called. */
  readonly failurePolicy: 'Ignore' | 'Fail';
  readonly timeoutSeconds: number;
  /** Whether its reinvocation policy is IfNeeded; mutating webhooks only. */
  readonly reinvocable: boolean;
  /** Whether it may be called in a dry run. */
  readonly supportsDryRun: boolean;
  /** The first version of AdmissionReview that both sides support; undefined when there is none. */
  readonly reviewVersion: 'v1' | 'v1beta1' | undefined;
  /** The names that the author of the configuration uses. */
  readonly names: ShownNames;
  /** '' when a service is named. */
  readonly url: string;
  readonly service: ServiceReference | undefined;
  /** PEM; empty means the system's roots. */
  readonly caBundle: Uint8Array;
}

/** Reads the webhooks of a configuration object, in order; unset fields have their defaults. */
export function readWebhooks({
  apiVersion,
  metadata,
  webhooks = [],
}: WebhookConfiguration): readonly Webhook[] {
  const of = { configuration: metadata.name ?? '', names: authorNames(apiVersion) };
  return webhooks.map(webhook => webhookFrom(webhook, of));
}

type WebhookConfiguration = Pick<ApiObject, 'apiVersion'> &
  (MutatingWebhookConfiguration | ValidatingWebhookConfiguration);

/** Reads one webhook; a validating webhook has all fields of a mutating one except the reinvocation policy. */
function webhookFrom(
  webhook: MutatingWebhook,
  { configuration, names }: Pick<Webhook, 'configuration' | 'names'>,
): Webhook {
  const { name = '', clientConfig = {}, rules = [], timeoutSeconds = 10, sideEffects } = webhook;
  const { url = '', service, caBundle = '' } = clientConfig;
  const versions = webhook.admissionReviewVersions ?? [];
  return {
    id: `${configuration}/${name}`,
    name,
    configuration,
    rules: rules.map(ruleFrom),
    matchesEquivalents: webhook.matchPolicy !== 'Exact',
    namespaceSelector: selectorFrom(webhook.namespaceSelector),
    objectSelector: selectorFrom(webhook.objectSelector),
    failurePolicy: webhook.failurePolicy === 'Ignore' ? 'Ignore' : 'Fail',
    timeoutSeconds,
    reinvocable: webhook.reinvocationPolicy === 'IfNeeded',
    supportsDryRun: sideEffects === 'None' || sideEffects === 'NoneOnDryRun',
    reviewVersion: versions.find(isKnownReviewVersion),
    names,
    url,
    service: service && serviceFrom(service),
    caBundle: Buffer.from(caBundle, 'base64'),
  };
}

function isKnownReviewVersion(version: string): version is 'v1' | 'v1beta1' {
  return version === 'v1' || version === 'v1beta1';
}

/** Reads one rule; unset fields have their defaults. */
export function ruleFrom(rule: RuleWithOperations): WebhookRule {
  const { operations, apiGroups = [], apiVersions, resources = [], scope } = rule;
  return {
    operations: new Set(operations),
    apiGroups: new Set(apiGroups.flatMap(group => [group, canonicalGroup(group)])),
    apiVersions: new Set(apiVersions),
    resources,
    scope: scope === 'Cluster' || scope === 'Namespaced' ? scope : '*',
  };
}

function serviceFrom(service: NonNullable<WebhookClientConfig['service']>): ServiceReference {
  const { namespace = '', name = '', path, port = 443 } = service;
  return { namespace, name, path: path || '/', port };
}

/** Reads a selector; an invalid one, which validation refuses, matches everything. */
export function selectorFrom(selector: SelectorObject | undefined): LabelSelector {
  try {
    return labelSelectorFrom(selector ?? {});
  } catch {
    return everything;
  }
}
