import type { JsonObject } from '@binnacle/api-objects';
import { StatusError } from '@binnacle/status-errors';
import {
  choiceFlag,
  durationFlag,
  type FlagValues,
  integerFlag,
  switchFlag,
  textFlag,
} from '../arguments/flag.ts';
import { singularName } from '../discovery/resource-type.ts';
import { type DeletedObject, deleteObject } from '../objects/delete-object.ts';
import { checkPlaceFlags, findPlaces, hasNames } from '../objects/find-places.ts';
import { objectIn, textIn } from '../objects/page.ts';
import type { Place } from '../objects/place.ts';
import { waitForObject } from '../objects/wait-for-object.ts';
import { CommandError, errorText, UsageError } from '../output/errors.ts';
import { outputForm } from '../output/output-form.ts';
import type { Session } from '../session/session.ts';
import { defineCommand } from './command.ts';
import { dryRunFlags, fileFlags } from './file-flags.ts';
import { outputFlag } from './output-flag.ts';

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
  timeout: durationFlag('time to wait for each object to be gone; 0 for no limit (default 0s)'),
  ignoreNotFound: switchFlag(
    'exit code 0 for objects that do not exist; the default with --all and selectors',
  ),
  output: outputFlag(['name']),
};

type Flags = FlagValues<typeof flags>;

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
    const doomed = await findPlaces(session, words, flags);
    for (const { type } of doomed)
      if (!type.verbs.includes('delete')) throw new CommandError(`${type.resource} cannot be deleted`);
    if (doomed.length === 0) terminal.err('No resources found\n');
    const tolerant = flags.ignoreNotFound || isSelecting(flags);
    const deleted: DeletedObject[] = [];
    let failed = 0;
    for (const each of doomed) {
      try {
        deleted.push(await deleteObject(session.client, each, flags));
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
  checkPlaceFlags(words, given);
  if (hasNames(words) && given.all) throw new UsageError('name cannot be provided when --all is specified');
  if (given.all && given.selector !== undefined)
    throw new UsageError('cannot set --all and --selector at the same time');
  if (given.filename.length > 0 && given.all)
    throw new UsageError('when -f is given, no types, names or selectors can be');
  if (given.filename.length === 0 && !hasNames(words) && !isSelecting(given))
    throw new UsageError('resource(s) were provided, but no name was specified');
}

/** Waits until all are gone: none of the name, or another one of the name. Users who may not read an object do not wait for it. */
async function waitUntilGone(
  session: Session,
  deleted: readonly DeletedObject[],
  timeoutMs: number,
): Promise<void> {
  for (const { place, uid } of deleted) {
    const isGone = (object: JsonObject | undefined) =>
      object === undefined || (uid !== '' && textIn(objectIn(object, 'metadata'), 'uid') !== uid);
    try {
      await waitForObject(session, place, {
        isMet: isGone,
        timeoutMs: timeoutMs === 0 ? Number.POSITIVE_INFINITY : timeoutMs,
      });
    } catch (error) {
      if (!(error instanceof StatusError && [401, 403, 405].includes(error.code))) throw error;
    }
  }
}

function deletionText(
  { type, name }: Place,
  { form, dryRun }: { readonly form: string; readonly dryRun: boolean },
): string {
  if (form === 'name') return `${singularName(type)}/${name}\n`;
  return `${singularName(type)} "${name}" deleted${dryRun ? ' (server dry run)' : ''}\n`;
}
