import { groups } from '@binnacle/api-names';
import { createTypeRegistry } from '@binnacle/api-types';
import type { AdmissionMetrics } from '../../chain/admission-metrics.ts';
import type { PluginEnvironment } from '../../chain/plugin-registration.ts';
import type { Review } from '../../chain/review.ts';
import type { TypeName } from '../../sources/objects.ts';
import type { AskingEnvironment } from './ask-webhook.ts';
import { type ConvertObjects, createConvertObjects } from './convert-objects.ts';
import { createEquivalentResources } from './equivalent-resources.ts';
import type { InvocationOptions } from './invocation.ts';
import { createServiceAddresses, type ServiceAddresses, servicesType } from './service-addresses.ts';
import { readWebhookCredentials } from './webhook-credentials.ts';
import { createWebhookSource, type WebhookSource } from './webhook-source.ts';

/** Options of a plugin that calls webhooks. */
export interface WebhookPluginOptions extends InvocationOptions, AskingEnvironment {
  /** Resolves once the configurations are loaded. */
  readonly ready: (review: Review) => Promise<void> | undefined;
  readonly webhooks: WebhookSource;
  /** Converts objects between the version of the request and that of webhooks. */
  readonly convert: ConvertObjects;
  readonly metrics: AdmissionMetrics;
}

/** Creates the type name of the configurations of mutating or validating webhooks. */
export function createConfigurationType(phase: 'mutating' | 'validating'): TypeName {
  return {
    group: groups.admissionregistration,
    version: 'v1',
    resource: `${phase}webhookconfigurations`,
  };
}

/** Creates the options of such a plugin from the environment of plugins. Throws a FlagError for an invalid configuration. */
export function webhookPluginOptions(
  environment: PluginEnvironment,
  configurations: TypeName,
): WebhookPluginOptions {
  const { objects, webhookDispatch, metrics, configuration } = environment;
  const services = createServiceAddresses(objects.reader(servicesType));
  const matching = matchingOptions(environment, services);
  return {
    ...matching,
    ready: ({ call }) => objects.ready(call),
    webhooks: createWebhookSource(objects.cache(configurations), matching.equivalents),
    transport: {
      dispatch: webhookDispatch,
      services,
      credentials: readWebhookCredentials(configuration),
    },
    metrics,
  };
}

/** Options of matching a review, and of showing its objects in the version that a webhook names. */
export type MatchingOptions = Pick<WebhookPluginOptions, 'namespaces' | 'equivalents' | 'convert'>;

/** Creates the matching options of a plugin from the environment of plugins. */
export function matchingOptions(
  { namespaces, registry, webhookDispatch, settings }: PluginEnvironment,
  services: ServiceAddresses,
): MatchingOptions {
  const served = createTypeRegistry({ runtimeConfig: settings.runtimeConfig });
  const every = createTypeRegistry({ everyVersion: true });
  const has = (types: typeof served, { group, version, resource }: TypeName) =>
    types.resource(group, version, resource) !== undefined;
  return {
    namespaces,
    // Types that are not built in are always served.
    equivalents: createEquivalentResources(registry, type => has(served, type) || !has(every, type)),
    convert: createConvertObjects({
      dispatch: webhookDispatch,
      findAddress: services.find,
      begin: () => () => {},
    }),
  };
}
