import { isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import { FlagError } from '@binnacle/service-kit';
import type { PluginConfiguration } from '../../chain/plugin-registration.ts';

/** Configuration of the plugin, for namespaces that do not name one. */
export interface TolerationConfiguration {
  readonly defaults: readonly JsonObject[];
  /** The tolerations that pods may have; without any, everything. */
  readonly permitted: readonly JsonObject[];
}

/** Reads a `Configuration` with `default` and `whitelist`; throws a FlagError for anything else. */
export function tolerationConfigurationFrom(
  configuration: PluginConfiguration | undefined,
): TolerationConfiguration {
  const document = configuration?.document ?? {};
  const unknown = Object.keys(document).find(
    field => !['apiVersion', 'kind', 'default', 'whitelist'].includes(field),
  );
  if (unknown !== undefined) throw problem(`unknown field ${JSON.stringify(unknown)}`);
  return {
    defaults: listIn(document, 'default'),
    permitted: listIn(document, 'whitelist'),
  };
}

/** The objects of a list; undefined for what is no list of objects. */
export function tolerationsFrom(value: JsonValue): JsonObject[] | undefined {
  return Array.isArray(value) && value.every(isJsonObject) ? value : undefined;
}

function listIn(document: JsonObject, field: string): JsonObject[] {
  const tolerations = tolerationsFrom(document[field] ?? []);
  if (tolerations === undefined) throw problem(`${field} is not a list of tolerations`);
  return tolerations;
}

function problem(what: string): FlagError {
  return new FlagError(`configuration of admission plugin PodTolerationRestriction: ${what}`);
}
