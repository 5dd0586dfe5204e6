import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import type { ConversionWebhook } from '../definitions/definitions.ts';
import { asNumber, asObject, asText, asTexts } from '../values/json-access.ts';
import type { CustomDefinition } from './custom-definition.ts';
import { pruneObject } from './prune.ts';
import { applySchemaDefaults } from './schema-defaults.ts';

const knownReviewVersions = ['v1', 'v1beta1'] as const;
const defaultPort = 443;

/** The webhook that converts the objects of a definition; undefined where only the name of the version differs. */
export function conversionWebhookFrom(definition: CustomDefinition): ConversionWebhook | undefined {
  const { name, definitionGroup, conversion, conversionWebhook: webhook = {} } = definition;
  if (conversion !== 'Webhook') return undefined;
  const config = asObject(webhook['clientConfig']) ?? {};
  const service = asObject(config['service']);
  const reviewVersions = asTexts(webhook['conversionReviewVersions']);
  return {
    name,
    url: asText(config['url']),
    service: service && serviceFrom(service),
    caBundle: Buffer.from(asText(config['caBundle']), 'base64'),
    // Who is called says what it prefers: the first of its versions that both sides know.
    reviewVersion: reviewVersions.flatMap(one => knownReviewVersions.find(known => known === one) ?? [])[0],
    reviewGroup: definitionGroup,
    completeStored: completionOf(definition),
  };
}

function serviceFrom(service: JsonObject): NonNullable<ConversionWebhook['service']> {
  return {
    namespace: asText(service['namespace']),
    name: asText(service['name']),
    path: asText(service['path']) || '/',
    port: asNumber(service['port']) || defaultPort,
  };
}

/** A version that the definition no longer has leaves its objects as they lie in the store. */
function completionOf({ group, versions }: CustomDefinition): (object: ApiObject) => void {
  const schemas = new Map(versions.map(({ name, schema }) => [`${group}/${name}`, schema]));
  return object => {
    const schema = schemas.get(object.apiVersion);
    if (schema === undefined) return;
    pruneObject(schema, object as JsonObject, () => {});
    applySchemaDefaults(schema, object as JsonObject);
  };
}
