import { groups } from '@binnacle/api-names';
import { isJsonObject, type JsonObject } from '@binnacle/api-objects';
import { asText, canonicalApiVersion } from '@binnacle/api-types';
import { FlagError } from '@binnacle/flags';
import type { PluginConfiguration } from '../../chain/plugin-registration.ts';
import { type LevelVersion, parseLevel, parseLevelVersion } from './checks/level-version.ts';
import type { Mode, Policy } from './policy.ts';

/** Configuration of the plugin: the policy of namespaces that do not name one, and the exemptions. */
export interface PodSecurityConfiguration {
  readonly defaults: Policy;
  readonly exemptUsernames: ReadonlySet<string>;
  readonly exemptNamespaces: ReadonlySet<string>;
  readonly exemptRuntimeClasses: ReadonlySet<string>;
}

const group = groups.podSecurityConfig;
const versions = ['v1', 'v1beta1', 'v1alpha1'];

/** Reads a PodSecurityConfiguration; throws a FlagError for unknown content. */
export function podSecurityConfigurationFrom(
  configuration: PluginConfiguration | undefined,
): PodSecurityConfiguration {
  const document = configuration?.document;
  if (document !== undefined) assertForm(document);
  const defaults = objectIn(document ?? {}, 'defaults', defaultFields);
  const exemptions = objectIn(document ?? {}, 'exemptions', exemptionFields);
  return {
    defaults: {
      enforce: levelVersionIn(defaults, 'enforce'),
      audit: levelVersionIn(defaults, 'audit'),
      warn: levelVersionIn(defaults, 'warn'),
    },
    exemptUsernames: textsIn(exemptions, 'usernames'),
    exemptNamespaces: textsIn(exemptions, 'namespaces'),
    exemptRuntimeClasses: textsIn(exemptions, 'runtimeClasses'),
  };
}

const documentFields = ['apiVersion', 'kind', 'defaults', 'exemptions'];
const modes: readonly Mode[] = ['enforce', 'audit', 'warn'];
const defaultFields = modes.flatMap(mode => [mode, `${mode}-version`]);
const exemptionFields = ['usernames', 'namespaces', 'runtimeClasses'];

function assertForm(document: JsonObject): void {
  const { apiVersion, kind } = document;
  const isKnown = versions.some(version => canonicalApiVersion(asText(apiVersion)) === `${group}/${version}`);
  if (!isKnown || kind !== 'PodSecurityConfiguration')
    throw problem(`expected kind PodSecurityConfiguration of ${group}/${versions[0]}`);
  assertFields(document, documentFields);
}

function objectIn(document: JsonObject, field: string, known: readonly string[]): JsonObject {
  const value = document[field] ?? {};
  if (!isJsonObject(value)) throw problem(`${field} is not an object`);
  assertFields(value, known);
  return value;
}

function levelVersionIn(defaults: JsonObject, mode: Mode): LevelVersion {
  const level = parseLevel(asText(defaults[mode] ?? '') || 'privileged');
  const version = parseLevelVersion(asText(defaults[`${mode}-version`] ?? '') || 'latest');
  if (level === undefined) throw problem(`defaults.${mode} is not a level`);
  if (version === undefined) throw problem(`defaults.${mode}-version is neither "latest" nor "v1.x"`);
  return { level, version };
}

function textsIn(exemptions: JsonObject, field: string): ReadonlySet<string> {
  const texts = exemptions[field] ?? [];
  if (!Array.isArray(texts) || !texts.every(text => typeof text === 'string' && text !== ''))
    throw problem(`exemptions.${field} is not a list of names`);
  if (new Set(texts).size !== texts.length) throw problem(`exemptions.${field} has a name twice`);
  return new Set(texts.map(asText));
}

function assertFields(object: JsonObject, known: readonly string[]): void {
  const unknown = Object.keys(object).find(field => !known.includes(field));
  if (unknown !== undefined) throw problem(`unknown field ${JSON.stringify(unknown)}`);
}

function problem(what: string): FlagError {
  return new FlagError(`configuration of admission plugin PodSecurity: ${what}`);
}
