import type { ConversionWebhook } from '../definitions/resource-definition.ts';
import type { ServiceReference } from '../generated/apiextensions/v1.ts';
import type { CustomDefinition } from './custom-definition.ts';
import { pruneStoredObject } from './prune.ts';
import { applySchemaDefaults } from './schema-defaults.ts';

const knownReviewVersions = ['v1', 'v1beta1'] as const;
const defaultPort = 443;

/** Returns the conversion webhook of a definition; undefined if only the version name differs. */
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
    // The first of the webhook's preferred versions that the server supports.
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

/** Objects of a version that the definition no longer has are left as stored. */
function createCompletion({ name, group, versions }: CustomDefinition): ConversionWebhook['completeStored'] {
  const schemas = new Map(versions.map(({ name, schema }) => [`${group}/${name}`, schema]));
  return (object, bytes) => {
    const schema = schemas.get(object.apiVersion);
    if (schema === undefined) return;
    pruneStoredObject(schema, object);
    applySchemaDefaults(schema, object, { definition: name, bytes });
  };
}
