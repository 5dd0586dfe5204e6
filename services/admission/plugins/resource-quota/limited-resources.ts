import { type ApiObject, isJsonObject, type JsonObject } from '@binnacle/api-objects';
import {
  asObjects,
  asText,
  asTexts,
  canonicalGroup,
  isCovered,
  type QuotaState,
  type ResourceDefinition,
  type ScopeRequirement,
  type UsageEvaluator,
} from '@binnacle/api-types';
import { FlagError } from '@binnacle/flags';
import type { PluginConfiguration } from '../../chain/plugin-registration.ts';

/** A resource that may be used only where a quota limits it. */
export interface LimitedResource {
  /** The group as written, and its name where it is an alias. */
  readonly groups: readonly string[];
  readonly resource: string;
  /** Substrings of resource names: a resource whose name has one needs a quota. */
  readonly matchContains: readonly string[];
  /** Objects in one of these need a quota for that scope. */
  readonly matchScopes: readonly ScopeRequirement[];
}

const fields = {
  document: ['apiVersion', 'kind', 'limitedResources'],
  resource: ['apiGroup', 'resource', 'matchContains', 'matchScopes'],
  scope: ['scopeName', 'operator', 'values'],
};

/** Reads `limitedResources` of a ResourceQuotaConfiguration; throws a FlagError for unknown content. */
export function limitedResourcesFrom(configuration: PluginConfiguration | undefined): LimitedResource[] {
  const document = configuration?.document ?? {};
  assertFields(document, fields.document);
  return listIn(document, 'limitedResources').map(limited => {
    assertFields(limited, fields.resource);
    const scopes = listIn(limited, 'matchScopes');
    for (const scope of scopes) assertFields(scope, fields.scope);
    const { apiGroup, resource, matchContains } = limited;
    const group = asText(apiGroup);
    return {
      groups: [group, canonicalGroup(group)],
      resource: asText(resource),
      matchContains: asTexts(matchContains),
      matchScopes: scopes.map(({ scopeName, operator, values }) => ({
        scope: asText(scopeName),
        operator: asText(operator),
        values: asTexts(values),
      })),
    };
  });
}

function listIn(document: JsonObject, field: string): JsonObject[] {
  const list = document[field] ?? [];
  if (!Array.isArray(list) || !list.every(isJsonObject)) throw problem(`${field} is not a list of objects`);
  return asObjects(list);
}

function assertFields(object: JsonObject, known: readonly string[]): void {
  const unknown = Object.keys(object).find(field => !known.includes(field));
  if (unknown !== undefined) throw problem(`unknown field ${JSON.stringify(unknown)}`);
}

function problem(what: string): FlagError {
  return new FlagError(`configuration of admission plugin ResourceQuota: ${what}`);
}

/** A creation that may need quotas. */
interface UnlimitedWrite {
  readonly definition: ResourceDefinition;
  readonly evaluator: UsageEvaluator;
  readonly object: ApiObject;
  /** All quotas of the namespace. */
  readonly quotas: readonly QuotaState[];
}

/** Finds the reason for which a creation is refused without a quota; undefined when it needs none or has one. */
export function missingQuota(
  limited: readonly LimitedResource[],
  { definition, evaluator, object, quotas }: UnlimitedWrite,
): string | undefined {
  const { group, resource } = definition.storage ?? definition;
  const rules = limited.filter(rule => rule.groups.includes(group) && rule.resource === resource);
  if (rules.length === 0) return undefined;
  const covering = quotas.filter(quota => isCovered(quota, evaluator, object));
  const used = [...evaluator.computeUsage(object)]
    .filter(([, { nanos }]) => nanos !== 0n)
    .map(([name]) => name);
  const consumed = used.filter(
    name =>
      rules.some(({ matchContains }) => matchContains.some(part => name.includes(part))) &&
      !covering.some(({ hard }) => hard.has(name)),
  );
  if (consumed.length > 0) return `insufficient quota to consume: ${consumed.sort().join(',')}`;
  const unmatched = rules
    .flatMap(({ matchScopes }) => matchScopes)
    .filter(requirement => evaluator.isInScope(object, requirement))
    .filter(({ scope }) => !covering.some(quota => quota.scopes.some(each => each.scope === scope)))
    .map(({ scope, operator, values }) => `${scope} ${operator} [${values.join(' ')}]`);
  return unmatched.length === 0
    ? undefined
    : `insufficient quota to match these scopes: ${unmatched.join(', ')}`;
}
