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
  /** Resolves once the configurations are known. */
  readonly ready: (review: Review) => Promise<void> | undefined;
  readonly webhooks: WebhookSource;
  /** Makes objects of the version of the request those that webhooks want to see, and back. */
  readonly convert: ConvertObjects;
  readonly metrics: AdmissionMetrics;
}

/** The configurations of one kind of webhooks. */
export function createConfigurationType(phase: 'mutating' | 'validating'): TypeName {
  return {
    group: groups.admissionregistration,
    version: 'v1',
    resource: `${phase}webhookconfigurations`,
  };
}

/** Options of such a plugin, from the environment of all plugins. Throws a FlagError for its configuration. */
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
    ways: {
      dispatch: webhookDispatch,
      services,
      credentials: readWebhookCredentials(configuration),
    },
    metrics,
  };
}

/** Options of matching a review, and of showing its objects in the version that a webhook names. */
export type MatchingOptions = Pick<WebhookPluginOptions, 'namespaces' | 'equivalents' | 'convert'>;

/** The part of a plugin's options that has nothing to do with webhooks of its own. */
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
    // Types that are not built in are served as soon as they are there.
    equivalents: createEquivalentResources(registry, type => has(served, type) || !has(every, type)),
    convert: createConvertObjects({
      dispatch: webhookDispatch,
      findAddress: services.find,
      begin: () => () => {},
    }),
  };
}
