import type { ConversionWebhook } from '../definitions/resource-definition.ts';
import type { ServiceReference } from '../generated/apiextensions/v1.ts';
import type { CustomDefinition } from './custom-definition.ts';
import { pruneStoredObject } from './prune.ts';
import { applySchemaDefaults } from './schema-defaults.ts';

const knownReviewVersions = ['v1', 'v1beta1'] as const;
const defaultPort = 443;

/** The webhook that converts the objects of a definition; undefined where only the name of the version differs. */
export function conversionWebhookFrom(definition: CustomDefinition): ConversionWebhook | undefined {
  const { name, definitionGroup, conversion, conversionWebhook: webhook = {} } = definition;
  if (conversion !== 'Webhook') return undefined;
  const { url = '', service, caBundle = '' } = webhook.clientConfig ?? {};
  const reviewVersions = webhook.conversionReviewVersions ?? [];
  return {
    name,
    url,
    service: service && serviceFrom(service),
    caBundle: Buffer.from(caBundle, 'base64'),
    // Who is called says what it prefers: the first of its versions that both sides know.
    reviewVersion: reviewVersions.flatMap(one => knownReviewVersions.find(known => known === one) ?? [])[0],
    reviewGroup: definitionGroup,
    completeStored: createCompletion(definition),
  };
}

function serviceFrom(service: ServiceReference): NonNullable<ConversionWebhook['service']> {
  return {
    namespace: service.namespace ?? '',
    name: service.name ?? '',
    path: service.path || '/',
    port: service.port || defaultPort,
  };
}

/** A version that the definition no longer has leaves its objects as they lie in the store. */
function createCompletion({ name, group, versions }: CustomDefinition): ConversionWebhook['completeStored'] {
  const schemas = new Map(versions.map(({ name, schema }) => [`${group}/${name}`, schema]));
  return (object, bytes) => {
    const schema = schemas.get(object.apiVersion);
    if (schema === undefined) return;
    pruneStoredObject(schema, object);
    applySchemaDefaults(schema, object, { definition: name, bytes });
  };
}
