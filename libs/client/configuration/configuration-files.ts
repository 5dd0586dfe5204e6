import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isJsonObject, type JsonObject } from '@binnacle/api-objects';
import { parseYamlAtOnce } from '@binnacle/codecs';
import type { Entry } from './entry.ts';

/** The lists of a client configuration, and the member of an entry that holds what is said of it. */
const members = { clusters: 'cluster', users: 'user', contexts: 'context' } as const;

interface ConfigurationFile {
  readonly path: string;
  readonly content: JsonObject;
}

/** Several files as one configuration: the first file that has a name, or a current context, decides on it. */
export interface ConfigurationFiles {
  /** The paths, as errors name them. */
  readonly where: string;
  readonly currentContext: string | undefined;
  find(list: keyof typeof members, name: string): Entry | undefined;
}

/** Reads files that list clusters, users and contexts. Those that do not exist are passed over; one at least must exist. */
export function readConfigurationFiles(paths: readonly string[]): ConfigurationFiles {
  const files = [...new Set(paths.map(path => resolve(path)))].flatMap(path => readIfThere(path) ?? []);
  if (files.length === 0)
    throw new Error(`no client configuration: ${paths.join(', ') || 'no file'} does not exist`);
  return {
    where: files.map(({ path }) => path).join(', '),
    currentContext: files.map(currentContextOf).find(name => name !== ''),
    find(list, name) {
      for (const file of files) {
        const found = findIn(file, list, name);
        if (found) return found;
      }
      return undefined;
    },
  };
}

function readIfThere(path: string): ConfigurationFile | undefined {
  let content: unknown;
  try {
    content = parseYamlAtOnce(readFileSync(path)).value;
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw new Error(`${path}: ${cause instanceof Error ? cause.message : 'unreadable'}`, { cause });
  }
  if (!isJsonObject(content)) throw new Error(`${path}: not a client configuration`);
  return { path, content };
}

function currentContextOf({ path, content: { 'current-context': name = '' } }: ConfigurationFile): string {
  if (name !== null && typeof name !== 'string') throw new Error(`${path}: current-context must be a text`);
  return name ?? '';
}

function findIn(
  { path, content }: ConfigurationFile,
  list: keyof typeof members,
  name: string,
): Entry | undefined {
  const entries = content[list] ?? [];
  if (!Array.isArray(entries)) throw new Error(`${path}: ${list} must be a list`);
  const found = entries.filter(isJsonObject).find(entry => entry['name'] === name);
  if (!found) return undefined;
  const member = members[list];
  const where = `${path}: ${member} ${JSON.stringify(name)}`;
  const fields = found[member] ?? {};
  if (!isJsonObject(fields)) throw new Error(`${where}: ${member} must be an object`);
  return { fields, directory: dirname(path), where };
}
