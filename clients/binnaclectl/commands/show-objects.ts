import type { JsonObject } from '@binnacle/api-objects';
import { StatusError } from '@binnacle/status-errors';
import type { FlagValues } from '../arguments/flag.ts';
import { type ResourceType, resourcePath } from '../discovery/resource-type.ts';
import { ObjectWriter } from '../objects/object-writer.ts';
import { type Column, type Item, pageFrom } from '../objects/page.ts';
import { acceptFor, readAll } from '../objects/read-objects.ts';
import { namespaceFor, type Target } from '../objects/targets.ts';
import { createList, documentText, withoutManagedFields } from '../output/documents.ts';
import { errorText } from '../output/errors.ts';
import type { Output, OutputForm } from '../output/output-form.ts';
import type { Session } from '../session/session.ts';
import { type chunkFlags, defaultChunkSize, type selectionFlags, type writingFlags } from './read-flags.ts';

/** The objects to show, and the form of the output. */
interface Showing {
  readonly session: Session;
  readonly targets: readonly Target[];
  readonly output: Output;
  readonly flags: FlagValues<typeof writingFlags & typeof selectionFlags & typeof chunkFlags> & {
    readonly ignoreNotFound: boolean;
  };
}

/** The objects of a target that were read, and the failure of the others. */
interface Found {
  readonly type: ResourceType;
  readonly items: readonly Item[];
  readonly columns: readonly Column[] | undefined;
  readonly errors: readonly unknown[];
}

/** Writes the objects of the targets; 1 when some could not be read, which is written to the error output at the end. */
export async function showObjects(showing: Showing): Promise<number> {
  const { session, targets, output } = showing;
  const { terminal } = session;
  const { form } = output;
  const found: Found[] = [];
  for (const target of targets) found.push(await findObjects(showing, target, form));
  const errors = found.flatMap(each => each.errors);
  if (form === 'json' || form === 'yaml') await writeDocument(showing, found, { ...output, form });
  else await writeTables(showing, found, form);
  const isEmpty = found.every(({ items }) => items.length === 0);
  if (isEmpty && errors.length === 0 && !hasNames(targets) && form !== 'json' && form !== 'yaml')
    terminal.err(nothingFound(showing));
  for (const error of errors) terminal.err(`${errorText(error)}\n`);
  return errors.length === 0 ? 0 : 1;
}

function hasNames(targets: readonly Target[]): boolean {
  return targets.some(({ names }) => names.length > 0);
}

async function findObjects(showing: Showing, { type, names }: Target, form: OutputForm): Promise<Found> {
  const { session, flags } = showing;
  const namespace = namespaceFor(type, { namespace: session.namespace, allNamespaces: flags.allNamespaces });
  if (names.length > 0) return await findNamed(showing, { type, names }, { namespace, form });
  const selection = {
    path: resourcePath(type, namespace),
    labelSelector: flags.selector ?? '',
    fieldSelector: flags.fieldSelector ?? '',
    accept: acceptFor(form, { single: false }),
  };
  try {
    const page = await readAll(session.client, selection, flags.chunkSize ?? defaultChunkSize);
    return { type, items: page.items, columns: page.columns, errors: [] };
  } catch (error) {
    // The failure of one type does not hide the objects of another.
    if (!(error instanceof StatusError) || showing.targets.length === 1) throw error;
    return { type, items: [], columns: undefined, errors: [error] };
  }
}

async function findNamed(
  { session, flags }: Showing,
  { type, names }: Target,
  { namespace, form }: { readonly namespace: string | undefined; readonly form: OutputForm },
): Promise<Found> {
  const items: Item[] = [];
  const errors: unknown[] = [];
  let columns: readonly Column[] | undefined;
  for (const name of names) {
    try {
      const document = await session.client.json<JsonObject>({
        method: 'GET',
        path: resourcePath(type, namespace, name),
        accept: acceptFor(form, { single: true }),
      });
      const page = pageFrom(document);
      items.push(...page.items);
      columns ??= page.columns;
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      if (!(flags.ignoreNotFound && error.reason === 'NotFound')) errors.push(error);
    }
  }
  return { type, items, columns, errors };
}

async function writeDocument(
  { session, targets, flags }: Showing,
  found: readonly Found[],
  { form, printer }: Output & { readonly form: 'json' | 'yaml' },
): Promise<void> {
  // A template sees all of an object.
  const isWhole = flags.showManagedFields || printer !== undefined;
  const objects = found
    .flatMap(({ items }) => items)
    .map(({ object }) => (isWhole ? object : withoutManagedFields(object)));
  const [first] = objects;
  const isOne = targets.reduce((sum, { names }) => sum + names.length, 0) === 1 && targets.length === 1;
  // Of one object that is asked for by its name there is no list, and nothing when it does not exist.
  if (isOne && first === undefined) return;
  const document = isOne && first !== undefined ? first : createList(objects);
  await session.terminal.out(printer?.print(document) ?? documentText(document, form));
}

async function writeTables(
  { session, flags }: Showing,
  found: readonly Found[],
  form: 'table' | 'wide' | 'name',
): Promise<void> {
  let isFirst = true;
  for (const { type, items, columns } of found) {
    if (items.length === 0) continue;
    if (!isFirst && form !== 'name') await session.terminal.out('\n');
    isFirst = false;
    const writer = new ObjectWriter({
      form,
      type,
      headers: !flags.noHeaders,
      showsLabels: flags.showLabels,
      showsManagedFields: false,
      showsNamespace: flags.allNamespaces && type.namespaced,
      showsType: found.length > 1,
      showsEvents: false,
    });
    await session.terminal.out(writer.write(items, columns));
  }
}

function nothingFound({ session, targets, flags }: Showing): string {
  const inNamespace = targets.some(({ type }) => type.namespaced) && !flags.allNamespaces;
  return inNamespace ? `No resources found in ${session.namespace} namespace.\n` : 'No resources found\n';
}
