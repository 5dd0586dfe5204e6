import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import { conditionHolds } from '../apiextensions/conditions.ts';
import { asObject, asObjects, asText, asTexts } from '../values/json-access.ts';

/** The names that a definition has been given, or asks for. */
export interface DefinitionNames {
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly kind: string;
  readonly listKind: string;
  readonly categories: readonly string[];
}

/** A version of a definition. */
export interface DefinitionVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated: boolean;
  /** Undefined: the usual one. */
  readonly deprecationWarning: string | undefined;
  readonly schema: JsonObject;
  readonly hasStatus: boolean;
  readonly scale: JsonObject | undefined;
  readonly columns: readonly JsonObject[];
}

/** What a CustomResourceDefinition says, read once. */
export interface CustomDefinition {
  /** Plural and group. */
  readonly name: string;
  /** The group of the definition itself, by the name that its author knows. */
  readonly definitionGroup: string;
  readonly group: string;
  readonly namespaced: boolean;
  /** What is asked for. */
  readonly names: DefinitionNames;
  /** The names that no other definition in the group has. */
  readonly acceptedNames: DefinitionNames;
  readonly versions: readonly DefinitionVersion[];
  readonly established: boolean;
  /** Its objects are being deleted, and none can be created. */
  readonly terminating: boolean;
  /** `None` or `Webhook`; '' is `None`. */
  readonly conversion: string;
  /** What converts, for `Webhook`. */
  readonly conversionWebhook?: JsonObject | undefined;
}

/** Reads a CustomResourceDefinition object that is valid. */
export function customDefinitionFrom(object: ApiObject): CustomDefinition {
  const spec = asObject(object['spec']) ?? {};
  const status = asObject(object['status']);
  const conversion = asObject(spec['conversion']);
  return {
    name: object.metadata.name ?? '',
    definitionGroup: definitionGroupOf(object),
    group: asText(spec['group']),
    namespaced: spec['scope'] === 'Namespaced',
    names: namesFrom(asObject(spec['names'])),
    acceptedNames: namesFrom(asObject(status?.['acceptedNames'])),
    versions: asObjects(spec['versions']).map(versionFrom),
    established: conditionHolds(status, 'Established'),
    terminating: conditionHolds(status, 'Terminating') || object.metadata.deletionTimestamp !== undefined,
    conversion: asText(conversion?.['strategy']),
    conversionWebhook: asObject(conversion?.['webhook']),
  };
}

/** What comes from a list does not say its apiVersion. */
function definitionGroupOf({ apiVersion }: Partial<ApiObject>): string {
  const slash = apiVersion?.indexOf('/') ?? -1;
  return slash < 0 ? 'apiextensions.cluster.io' : (apiVersion?.slice(0, slash) ?? '');
}

function namesFrom(names: JsonObject = {}): DefinitionNames {
  return {
    plural: asText(names['plural']),
    singular: asText(names['singular']),
    shortNames: asTexts(names['shortNames']),
    kind: asText(names['kind']),
    listKind: asText(names['listKind']),
    categories: asTexts(names['categories']),
  };
}

function versionFrom(version: JsonObject): DefinitionVersion {
  const subresources = asObject(version['subresources']) ?? {};
  const warning = version['deprecationWarning'];
  return {
    name: asText(version['name']),
    served: version['served'] === true,
    storage: version['storage'] === true,
    deprecated: version['deprecated'] === true,
    deprecationWarning: typeof warning === 'string' ? warning : undefined,
    schema: asObject(asObject(version['schema'])?.['openAPIV3Schema']) ?? { type: 'object' },
    hasStatus: asObject(subresources['status']) !== undefined,
    scale: asObject(subresources['scale']),
    columns: asObjects(version['additionalPrinterColumns']),
  };
}
