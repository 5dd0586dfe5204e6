import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import { parseYamlAtOnce } from '@binnacle/codecs';
import { CommandError } from '../output/errors.ts';

/** An entry of a client configuration with the folder of its file, against which its paths are resolved. */
export interface ConfigurationEntry {
  readonly name: string;
  readonly content: JsonObject;
  readonly folder: string;
}

/** The client configuration files of a user, merged: the first file that has a name wins. */
export interface Kubeconfig {
  /** The files as given, those that do not exist too. */
  readonly paths: readonly string[];
  readonly currentContext: string;
  readonly contexts: readonly ConfigurationEntry[];
  readonly clusters: readonly ConfigurationEntry[];
  readonly users: readonly ConfigurationEntry[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads and merges the file of `--kubeconfig`, or those that `KUBECONFIG` lists, or `~/.kube/config`. */
export function readKubeconfig(given: string | undefined, env: Environment): Kubeconfig {
  const paths = configurationPaths(given, env);
  if (given !== undefined && !existsSync(given))
    throw new CommandError(`stat ${given}: no such file or directory`);
  const files = paths
    .filter(path => existsSync(path))
    .map(path => ({ path, content: readConfigurationFile(path) }));
  const merged = (list: string, inner: string): ConfigurationEntry[] => {
    const entries = new Map<string, ConfigurationEntry>();
    for (const { path, content } of files) {
      for (const entry of entriesOf(content[list], { inner, folder: dirname(path) }))
        if (!entries.has(entry.name)) entries.set(entry.name, entry);
    }
    return [...entries.values()];
  };
  const currents = files.map(({ content }) => content['current-context']);
  const currentContext = currents.find(name => typeof name === 'string' && name !== '');
  return {
    paths,
    currentContext: typeof currentContext === 'string' ? currentContext : '',
    contexts: merged('contexts', 'context'),
    clusters: merged('clusters', 'cluster'),
    users: merged('users', 'user'),
  };
}

/** One file as it stands; throws a `CommandError` that names it when it cannot be read. */
export function readConfigurationFile(path: string): JsonObject {
  try {
    const { value } = parseYamlAtOnce(readFileSync(path));
    if (value === null) return {};
    if (!isJsonObject(value)) throw new Error('not a client configuration');
    return value;
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : 'unreadable';
    throw new CommandError(`error loading config file "${path}": ${message}`, { cause });
  }
}

function configurationPaths(given: string | undefined, env: Environment): string[] {
  if (given !== undefined) return [given];
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter(path => path !== '');
  return listed.length > 0 ? listed : [join(env['HOME'] ?? homedir(), '.kube', 'config')];
}

function entriesOf(
  list: JsonValue | undefined,
  { inner, folder }: { readonly inner: string; readonly folder: string },
): ConfigurationEntry[] {
  if (!Array.isArray(list)) return [];
  return list.filter(isJsonObject).flatMap(entry => {
    const { name } = entry;
    const content = entry[inner];
    return typeof name === 'string' ? [{ name, content: isJsonObject(content) ? content : {}, folder }] : [];
  });
}
