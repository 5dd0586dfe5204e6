import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { isJsonObject, type JsonObject } from '@binnacle/api-objects';
import { parseYamlAtOnce } from '@binnacle/codecs/texts';
import { errorMessage } from '@binnacle/status-errors';
import { CommandError } from '../output/errors.ts';
import type { Terminal } from '../session/terminal.ts';
import { objectIn, textIn } from './page.ts';
import { splitDocuments } from './split-documents.ts';

/** An object of a file. */
export interface Manifest {
  readonly object: JsonObject;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** Empty where the object names none. */
  readonly namespace: string;
  /** The file, as messages name it. */
  readonly source: string;
}

/** Files that are read of a folder. */
const endings = ['.json', '.yaml', '.yml'];

/**
 * The objects of files, of folders (in the order of their names, and with `recursive` of the folders in them) and of the input
 * (`-`). Items of lists count as objects. Throws a `CommandError` that names the file.
 */
export async function readManifests(
  paths: readonly string[],
  { recursive, input }: { readonly recursive: boolean } & Pick<Terminal, 'input'>,
): Promise<Manifest[]> {
  const manifests: Manifest[] = [];
  for (const path of paths) {
    if (path === '-') manifests.push(...parseManifests(await textOf(input), 'STDIN'));
    else
      for (const file of filesAt(path, recursive))
        manifests.push(...parseManifests(readFileSync(file, 'utf8'), file));
  }
  if (manifests.length === 0) throw new CommandError('no objects passed');
  return manifests;
}

function filesAt(path: string, recursive: boolean): string[] {
  if (/^https?:\/\//.test(path)) throw new CommandError(`"${path}": only local files can be read`);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new CommandError(`the path "${path}" does not exist`);
  return found.isDirectory() ? filesIn(path, recursive) : [path];
}

function filesIn(folder: string, recursive: boolean): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(entry => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return recursive ? filesIn(path, recursive) : [];
      return endings.some(ending => entry.name.endsWith(ending)) ? [path] : [];
    });
}

/** The objects of the text of a file, in YAML or JSON; throws a `CommandError` that names the source. */
export function parseManifests(text: string, source: string): Manifest[] {
  return splitDocuments(text).flatMap(document => manifestsFromObject(parsed(document, source), source));
}

function parsed(document: string, source: string): JsonObject {
  let value: unknown;
  try {
    ({ value } = parseYamlAtOnce(Buffer.from(document)));
  } catch (cause) {
    throw new CommandError(`error parsing ${source}: ${errorMessage(cause)}`, {
      cause,
    });
  }
  if (!isJsonObject(value)) throw new CommandError(`error parsing ${source}: a document is not an object`);
  return value;
}

function manifestsFromObject(object: JsonObject, source: string): Manifest[] {
  const { items } = object;
  const [apiVersion, kind] = [textIn(object, 'apiVersion'), textIn(object, 'kind')];
  for (const [field, value] of Object.entries({ apiVersion, kind }))
    if (value === '') throw new CommandError(`error validating "${source}": ${field} not set`);
  if (kind.endsWith('List') && Array.isArray(items))
    return items
      .filter(isJsonObject)
      .flatMap(item => manifestsFromObject(withListType(item, { apiVersion, kind }), source));
  const metadata = objectIn(object, 'metadata');
  const name = textIn(metadata, 'name');
  if (name === '') throw new CommandError(`error validating "${source}": ${kind}: metadata.name not set`);
  return [{ object, apiVersion, kind, name, namespace: textIn(metadata, 'namespace'), source }];
}

/** Items of a list of one kind may leave out what the list says: `ConfigMapList`. */
function withListType(
  item: JsonObject,
  list: { readonly apiVersion: string; readonly kind: string },
): JsonObject {
  const kind = list.kind.slice(0, -'List'.length);
  return kind === '' ? item : { apiVersion: list.apiVersion, kind, ...item };
}
