import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { groups } from '@binnacle/api-names';
import { isJsonObject, type JsonObject } from '@binnacle/api-objects';
import { asText, canonicalApiVersion } from '@binnacle/api-types';
import { parseYamlAtOnce } from '@binnacle/codecs/texts';
import { FlagError } from '@binnacle/flags';
import { errorMessage } from '@binnacle/status-errors';
import type { PluginConfiguration, PluginRegistration } from './plugin-registration.ts';
import { unknownPlugin } from './plugin-selection.ts';
import { authorNames, type ShownNames } from './shown-names.ts';

/** The forms of the file (spec 2, "Admission configuration"); the second one is deprecated. */
const knownVersions: ReadonlySet<string> = new Set([
  `${groups.apiserverConfig}/v1`,
  `${groups.apiserver}/v1alpha1`,
]);
const knownFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'plugins']);
const knownPluginFields: ReadonlySet<string> = new Set(['name', 'path', 'configuration']);

/**
 * Reads an AdmissionConfiguration file, YAML or JSON: the configuration of each plugin, inline or in a file of its own.
 * Without a file the result is empty. Throws a FlagError for unknown content, unknown plugins included.
 */
export function readAdmissionConfiguration(
  file: string | undefined,
  registered: readonly Pick<PluginRegistration, 'name' | 'configurable'>[],
): ReadonlyMap<string, PluginConfiguration> {
  const configurations = new Map<string, PluginConfiguration>();
  if (file === undefined || file === '') return configurations;
  const document = readDocument(file);
  assertKnown(document, file);
  const names = authorNames(asText(document['apiVersion']));
  for (const entry of readPlugins(document, file)) {
    const name = readName(entry);
    const registration = registered.find(candidate => candidate.name === name);
    if (registration === undefined)
      throw unknownPlugin(
        name,
        registered.map(candidate => candidate.name),
      );
    if (configurations.has(name)) throw problem(file, `plugin ${name} is listed twice`);
    const configuration = readConfiguration(entry, file, names);
    if (configuration === undefined) continue;
    if (registration.configurable !== true) throw problem(file, `plugin ${name} takes no configuration`);
    configurations.set(name, configuration);
  }
  return configurations;
}

/** Reads the object that a YAML or JSON file holds; throws a FlagError when it does not. */
export function readDocument(file: string): JsonObject {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (thrown) {
    throw problem(file, errorMessage(thrown));
  }
  try {
    const { value } = parseYamlAtOnce(bytes);
    if (isJsonObject(value)) return value;
  } catch (thrown) {
    throw problem(file, errorMessage(thrown));
  }
  throw problem(file, 'it does not hold an object');
}

function assertKnown(document: JsonObject, file: string): void {
  const { apiVersion, kind } = document;
  const isKnown = knownVersions.has(canonicalApiVersion(asText(apiVersion)));
  if (kind !== 'AdmissionConfiguration' || !isKnown)
    throw problem(
      file,
      `expected kind AdmissionConfiguration of ${[...knownVersions].join(' or ')}, got ${JSON.stringify(kind ?? '')} of ${JSON.stringify(apiVersion ?? '')}`,
    );
  assertFields(document, knownFields, file);
}

function readPlugins({ plugins = [] }: JsonObject, file: string): readonly JsonObject[] {
  if (!Array.isArray(plugins)) throw problem(file, 'plugins is not a list');
  return plugins.map(plugin => {
    if (!isJsonObject(plugin) || readName(plugin) === '') throw problem(file, 'a plugin needs a name');
    assertFields(plugin, knownPluginFields, file);
    return plugin;
  });
}

function readName({ name }: JsonObject): string {
  return asText(name);
}

function readConfiguration(
  entry: JsonObject,
  file: string,
  names: ShownNames,
): PluginConfiguration | undefined {
  const { configuration, path = '' } = entry;
  if (configuration !== undefined && configuration !== null) {
    if (path !== '') throw problem(file, `plugin ${readName(entry)} has both a path and a configuration`);
    if (!isJsonObject(configuration))
      throw problem(file, `the configuration of plugin ${readName(entry)} is not an object`);
    return { document: configuration, directory: dirname(resolve(file)), names };
  }
  if (typeof path !== 'string') throw problem(file, `the path of plugin ${readName(entry)} is not a string`);
  if (path === '') return undefined;
  const absolute = resolve(dirname(file), path);
  return { document: readDocument(absolute), directory: dirname(absolute), names };
}

function assertFields(object: JsonObject, known: ReadonlySet<string>, file: string): void {
  const unknown = Object.keys(object).find(field => !known.has(field));
  if (unknown !== undefined) throw problem(file, `unknown field ${JSON.stringify(unknown)}`);
}

function problem(file: string, what: string): FlagError {
  return new FlagError(`--admission-control-config-file ${file}: ${what}`);
}
