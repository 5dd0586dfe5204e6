import type { FlagValues } from '../arguments/flag.ts';
import { resourcePath } from '../discovery/resource-type.ts';
import { follow } from '../objects/follow.ts';
import { ObjectWriter } from '../objects/object-writer.ts';
import { acceptFor, readAll, type Selection } from '../objects/read-objects.ts';
import { namespaceFor, type Target } from '../objects/targets.ts';
import { errorText, UsageError } from '../output/errors.ts';
import type { Output, OutputForm } from '../output/output-form.ts';
import type { Session } from '../session/session.ts';
import { type chunkFlags, defaultChunkSize, type selectionFlags, type writingFlags } from './read-flags.ts';

/** The objects to watch, and the form of the output. */
interface Watching {
  readonly session: Session;
  readonly targets: readonly Target[];
  readonly output: Output;
  readonly flags: FlagValues<typeof writingFlags & typeof selectionFlags & typeof chunkFlags> & {
    readonly outputWatchEvents: boolean;
  };
  /** Whether existing objects are left out. */
  readonly fromNow: boolean;
}

/** Writes the objects of one type, or one of them, and every change until the user ends it. */
export async function watchObjects(watching: Watching): Promise<number> {
  const { session, targets, output, flags, fromNow } = watching;
  const [target, ...others] = targets;
  if (target === undefined || others.length > 0)
    throw new UsageError('you may only specify a single resource type');
  if (target.names.length > 1) throw new UsageError('a watch follows one name or all');
  const { terminal, client } = session;
  const { form } = output;
  const writer = writerFor(watching, target);
  const selection = createSelection(watching, target, form);
  // A name that does not exist is an error at once, except for a watch from now on, which waits for it.
  if (target.names.length > 0 && !fromNow)
    await client.json({ method: 'GET', path: objectPath(watching, target) });
  const start = await readAll(client, selection, flags.chunkSize ?? defaultChunkSize);
  const eventText = (type: string) => (flags.outputWatchEvents ? type : '');
  // The columns hold for events too: a watch that begins with a bookmark brings them with it, where no row shows them.
  const existing = fromNow ? [] : start.items;
  await terminal.out(writer.write(existing, start.columns, eventText('ADDED')));
  for await (const { type, item, columns } of follow({
    client,
    selection,
    watchAccept: acceptFor(form, { single: true }),
    start,
    signal: terminal.signal,
    random: terminal.random,
    onBreak: error => terminal.err(`${errorText(error)}\nResuming the watch.\n`),
  }))
    await terminal.out(writer.write([item], columns, eventText(type)));
  return 0;
}

function writerFor({ flags, output }: Watching, { type }: Target): ObjectWriter {
  return new ObjectWriter({
    ...output,
    type,
    headers: !flags.noHeaders,
    showsLabels: flags.showLabels,
    showsManagedFields: flags.showManagedFields,
    showsNamespace: flags.allNamespaces && type.namespaced,
    showsType: false,
    showsEvents: flags.outputWatchEvents,
  });
}

function createSelection({ session, flags }: Watching, { type, names }: Target, form: OutputForm): Selection {
  const namespace = namespaceFor(type, { namespace: session.namespace, allNamespaces: flags.allNamespaces });
  const [name] = names;
  return {
    path: resourcePath(type, namespace),
    labelSelector: flags.selector ?? '',
    fieldSelector: name === undefined ? (flags.fieldSelector ?? '') : `metadata.name=${name}`,
    accept: acceptFor(form, { single: false }),
  };
}

function objectPath({ session }: Watching, { type, names }: Target): string {
  return resourcePath(
    type,
    namespaceFor(type, { namespace: session.namespace, allNamespaces: false }),
    names[0],
  );
}
