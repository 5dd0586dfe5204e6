import { StatusError } from '@binnacle/status-errors';
import {
  choiceFlag,
  durationFlag,
  type FlagValues,
  integerFlag,
  switchFlag,
  textFlag,
} from '../arguments/flag.ts';
import { type ResourceType, resourcePath, singularName } from '../discovery/resource-type.ts';
import { type DeletedObject, deleteObject } from '../objects/delete-object.ts';
import { locateManifest } from '../objects/locate-manifest.ts';
import { readManifests } from '../objects/read-manifests.ts';
import { acceptFor, readAll } from '../objects/read-objects.ts';
import { namespaceFor, targetsFrom } from '../objects/targets.ts';
import { waitUntilGone } from '../objects/wait-until-gone.ts';
import { CommandError, errorText, UsageError } from '../output/errors.ts';
import { outputForm } from '../output/output-form.ts';
import type { Session } from '../session/session.ts';
import { defineCommand } from './command.ts';
import { dryRunFlags, fileFlags } from './file-flags.ts';
import { defaultChunkSize } from './read-flags.ts';

const flags = {
  ...fileFlags,
  ...dryRunFlags,
  selector: textFlag('label selector: tier=front,stage!=test', { short: 'l' }),
  fieldSelector: textFlag('field selector: metadata.name=settings'),
  all: switchFlag('all objects of the types, in the namespace'),
  allNamespaces: switchFlag('objects of all namespaces', { short: 'A' }),
  cascade: choiceFlag(
    'dependents: deleted after the object, before it, or kept',
    ['background', 'foreground', 'orphan'],
    { defaultValue: 'background', bare: 'background' },
  ),
  gracePeriod: integerFlag('seconds for the object to terminate; -1 for the default of its kind', {
    least: -1,
  }),
  wait: switchFlag('wait until the objects are gone, finalizers included', { defaultValue: true }),
  timeout: durationFlag('time to wait for the objects to be gone; 0 for no limit (default 0s)'),
  ignoreNotFound: switchFlag(
    'exit code 0 for objects that do not exist; the default with --all and selectors',
  ),
  output: textFlag('output format: name', { short: 'o', placeholder: 'format' }),
};

type Flags = FlagValues<typeof flags>;

interface Doomed {
  readonly type: ResourceType;
  readonly path: string;
  readonly name: string;
}

/** Deletes objects. */
export const deleteCommand = defineCommand({
  name: 'delete',
  usage: '(TYPE NAME... | TYPE/NAME... | TYPE -l SELECTOR | TYPE --all | -f FILE)',
  summary: 'Deletes objects, and waits until they are gone.',
  examples: [
    'delete configmap settings',
    'delete pods -l tier=front --grace-period=0',
    'delete deployment/shop --cascade=orphan',
    'delete -f shop.yaml --wait=false',
  ],
  flags,
  async run({ flags, words, open }) {
    checkFlags(flags, words);
    const form = outputForm(flags.output, ['name']);
    const session = open({ inputIsTaken: flags.filename.includes('-') });
    const { terminal } = session;
    const doomed =
      flags.filename.length > 0 ? await fromFiles(session, flags) : await fromWords(session, words, flags);
    if (doomed.length === 0) terminal.err('No resources found\n');
    const tolerant = flags.ignoreNotFound || isSelecting(flags);
    const deleted: DeletedObject[] = [];
    let failed = 0;
    for (const each of doomed) {
      try {
        deleted.push(await deleteObject(session.client, each.path, flags));
        await terminal.out(deletionText(each, { form, dryRun: flags.dryRun === 'server' }));
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        if (tolerant && error.reason === 'NotFound') continue;
        failed++;
        terminal.err(`${errorText(error)}\n`);
      }
    }
    if (flags.wait && flags.dryRun === 'none') await waitUntilGone(session, deleted, flags.timeout ?? 0);
    return failed === 0 ? 0 : 1;
  },
});

function isSelecting({ all, selector, fieldSelector }: Flags): boolean {
  return all || selector !== undefined || fieldSelector !== undefined;
}

function checkFlags(given: Flags, words: readonly string[]): void {
  const hasNames = words.length > 1 || words.some(word => word.includes('/'));
  const hasFiles = given.filename.length > 0;
  if (hasFiles && (words.length > 0 || isSelecting(given)))
    throw new UsageError('when -f is given, no types, names or selectors can be');
  if (hasNames && (given.selector !== undefined || given.fieldSelector !== undefined))
    throw new UsageError('name cannot be provided when a selector is specified');
  if (hasNames && given.all) throw new UsageError('name cannot be provided when --all is specified');
  if (hasNames && given.allNamespaces)
    throw new UsageError('a resource cannot be deleted by name across all namespaces');
  if (given.all && given.selector !== undefined)
    throw new UsageError('cannot set --all and --selector at the same time');
  if (!hasFiles && !hasNames && !isSelecting(given))
    throw new UsageError('resource(s) were provided, but no name was specified');
}

async function fromFiles(session: Session, { filename, recursive }: Flags): Promise<Doomed[]> {
  const manifests = await readManifests(filename, { recursive, input: session.terminal.input });
  const doomed: Doomed[] = [];
  for (const manifest of manifests)
    doomed.push({ ...(await locateManifest(session, manifest)), name: manifest.name });
  return doomed;
}

async function fromWords(session: Session, words: readonly string[], given: Flags): Promise<Doomed[]> {
  const doomed: Doomed[] = [];
  for (const { type, names } of await targetsFrom(words, session.discovery)) {
    const { namespace } = session;
    const scope = namespaceFor(type, { namespace, allNamespaces: given.allNamespaces });
    if (!isSelecting(given)) {
      for (const name of names) doomed.push({ type, path: resourcePath(type, scope, name), name });
      continue;
    }
    if (!type.verbs.includes('delete')) throw new CommandError(`${type.resource} cannot be deleted`);
    const selection = {
      path: resourcePath(type, scope),
      labelSelector: given.selector ?? '',
      fieldSelector: given.fieldSelector ?? '',
      accept: acceptFor('name', { single: false }),
    };
    const { items } = await readAll(session.client, selection, defaultChunkSize);
    for (const { metadata } of items)
      doomed.push({ type, path: resourcePath(type, metadata.namespace, metadata.name), name: metadata.name });
  }
  return doomed;
}

function deletionText(
  { type, name }: Doomed,
  { form, dryRun }: { readonly form: string; readonly dryRun: boolean },
): string {
  if (form === 'name') return `${singularName(type)}/${name}\n`;
  return `${singularName(type)} "${name}" deleted${dryRun ? ' (server dry run)' : ''}\n`;
}
