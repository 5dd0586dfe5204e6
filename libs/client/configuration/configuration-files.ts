import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isJsonObject, type JsonObject } from '@binnacle/api-objects';
import { parseYamlAtOnce } from '@binnacle/codecs/texts';
import { errorMessage } from '@binnacle/status-errors';
import type { Entry } from './entry.ts';

/** The lists of a client configuration, with the name of the field that holds the content of an entry. */
const members = { clusters: 'cluster', users: 'user', contexts: 'context' } as const;

/** A file of a client configuration. */
interface ConfigurationFile {
  /** Absolute path. */
  readonly path: string;
  readonly content: JsonObject;
}

/** Several files merged into one configuration: the first file with an entry of a name, or a current context, counts. */
export interface ConfigurationFiles {
  /** The files that exist. */
  readonly files: readonly ConfigurationFile[];
  /** Their paths, for error messages. */
  readonly where: string;
  readonly currentContext: string | undefined;
  /** Returns the names in a list of all files, without duplicates. */
  names(list: keyof typeof members): readonly string[];
  find(list: keyof typeof members, name: string): Entry | undefined;
}

/** Reads files with clusters, users and contexts. Missing files are skipped; at least one must exist, unless `mayBeMissing`. */
export function readConfigurationFiles(
  paths: readonly string[],
  { mayBeMissing }: { readonly mayBeMissing: boolean },
): ConfigurationFiles {
  const files = [...new Set(paths.map(path => resolve(path)))].flatMap(path => readIfThere(path) ?? []);
  if (files.length === 0 && !mayBeMissing)
    throw new Error(`no client configuration: ${paths.join(', ') || 'no file'} does not exist`);
  return {
    files,
    where: files.map(({ path }) => path).join(', ') || 'no client configuration',
    currentContext: files.map(readCurrentContext).find(name => name !== ''),
    names: list => [...new Set(files.flatMap(file => entriesIn(file, list).flatMap(readName)))],
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
    throw new Error(`${path}: ${errorMessage(cause)}`, { cause });
  }
  // An empty file is an empty configuration.
  const object = content ?? {};
  if (!isJsonObject(object)) throw new Error(`${path}: not a client configuration`);
  return { path, content: object };
}

function readCurrentContext({ path, content: { 'current-context': name = '' } }: ConfigurationFile): string {
  if (name !== null && typeof name !== 'string') throw new Error(`${path}: current-context must be a string`);
  return name ?? '';
}

function entriesIn({ path, content }: ConfigurationFile, list: keyof typeof members): JsonObject[] {
  const entries = content[list] ?? [];
  if (!Array.isArray(entries)) throw new Error(`${path}: ${list} must be a list`);
  return entries.filter(isJsonObject);
}

function readName({ name }: JsonObject): string[] {
  return typeof name === 'string' ? [name] : [];
}

function findIn(file: ConfigurationFile, list: keyof typeof members, name: string): Entry | undefined {
  const { path } = file;
  const found = entriesIn(file, list).find(entry => entry['name'] === name);
  if (!found) return undefined;
  const member = members[list];
  const where = `${path}: ${member} ${JSON.stringify(name)}`;
  const fields = found[member] ?? {};
  if (!isJsonObject(fields)) throw new Error(`${where}: ${member} must be an object`);
  return { fields, directory: dirname(path), where };
}
