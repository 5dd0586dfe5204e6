import { groups } from '@binnacle/api-names';
import { splitApiVersion } from '@binnacle/api-objects';
import { conditionHolds } from '../apiextensions/conditions.ts';
import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionVersion,
  CustomResourceSubresourceScale,
  JSONSchemaProps,
  WebhookConversion,
} from '../generated/apiextensions/v1.ts';

/** The requested or accepted names of a definition. */
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
  /** Undefined: the default warning. */
  readonly deprecationWarning: string | undefined;
  readonly schema: JSONSchemaProps;
  readonly hasStatus: boolean;
  readonly scale: CustomResourceSubresourceScale | undefined;
  readonly columns: readonly CustomResourceColumnDefinition[];
}

/** The parsed content of a CustomResourceDefinition. */
export interface CustomDefinition {
  /** Plural name and group. */
  readonly name: string;
  /** The group name of CustomResourceDefinition in the alias that its author uses. */
  readonly definitionGroup: string;
  readonly group: string;
  readonly namespaced: boolean;
  /** The requested names. */
  readonly names: DefinitionNames;
  /** The names without conflict in the group. */
  readonly acceptedNames: DefinitionNames;
  readonly versions: readonly DefinitionVersion[];
  readonly established: boolean;
  /** Whether its objects are being deleted; none can be created. */
  readonly terminating: boolean;
  /** `None` or `Webhook`; '' means `None`. */
  readonly conversion: string;
  /** The conversion webhook, with conversion `Webhook`. */
  readonly conversionWebhook?: WebhookConversion | undefined;
}

/** Parses a valid CustomResourceDefinition. */
export function customDefinitionFrom(object: CustomResourceDefinition): CustomDefinition {
  const { spec = {}, status } = object;
  return {
    name: object.metadata.name ?? '',
    definitionGroup: readDefinitionGroup(object),
    group: spec.group ?? '',
    namespaced: spec.scope === 'Namespaced',
    names: namesFrom(spec.names),
    acceptedNames: namesFrom(status?.acceptedNames),
    versions: (spec.versions ?? []).map(versionFrom),
    established: conditionHolds(status, 'Established'),
    terminating: conditionHolds(status, 'Terminating') || object.metadata.deletionTimestamp !== undefined,
    conversion: spec.conversion?.strategy ?? '',
    conversionWebhook: spec.conversion?.webhook,
  };
}

/** Items of a list have no apiVersion. */
function readDefinitionGroup({ apiVersion }: Partial<CustomResourceDefinition>): string {
  return splitApiVersion(apiVersion ?? '').group || groups.apiextensions;
}

function namesFrom(names: CustomResourceDefinitionNames = {}): DefinitionNames {
  return {
    plural: names.plural ?? '',
    singular: names.singular ?? '',
    shortNames: names.shortNames ?? [],
    kind: names.kind ?? '',
    listKind: names.listKind ?? '',
    categories: names.categories ?? [],
  };
}

function versionFrom(version: CustomResourceDefinitionVersion): DefinitionVersion {
  const { subresources = {} } = version;
  return {
    name: version.name ?? '',
    served: version.served === true,
    storage: version.storage === true,
    deprecated: version.deprecated === true,
    deprecationWarning: version.deprecationWarning,
    schema: version.schema?.openAPIV3Schema ?? { type: 'object' },
    hasStatus: subresources.status !== undefined,
    scale: subresources.scale,
    columns: version.additionalPrinterColumns ?? [],
  };
}
