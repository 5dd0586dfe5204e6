import type { JsonObject } from '@binnacle/api-objects';
import { StatusError } from '@binnacle/status-errors';
import { durationFlag, type FlagValues, switchFlag, textFlag } from '../arguments/flag.ts';
import { singularName } from '../discovery/resource-type.ts';
import { checkPlaceFlags, findPlaces, hasNames } from '../objects/find-places.ts';
import type { Place } from '../objects/place.ts';
import { parseWaitCondition, type WaitCondition } from '../objects/wait-condition.ts';
import { waitForObject } from '../objects/wait-for-object.ts';
import { documentText, withoutManagedFields } from '../output/documents.ts';
import { CommandError, errorText, UsageError } from '../output/errors.ts';
import { type Output, outputFrom } from '../output/output-form.ts';
import { templateForms } from '../output/template-forms.ts';
import type { Session } from '../session/session.ts';
import { defineCommand } from './command.ts';
import { fileFlags } from './file-flags.ts';
import { outputFlag } from './output-flag.ts';
import { selectionFlags } from './read-flags.ts';
import { templateFlags } from './template-flags.ts';

const forms = ['json', 'yaml', 'name', ...templateForms] as const;

const flags = {
  ...fileFlags,
  ...selectionFlags,
  all: switchFlag('all objects of the types, in the namespace'),
  for: textFlag(
    'condition to wait for: delete, condition=NAME[=VALUE] (VALUE in any case, default true) or jsonpath={PATH}=VALUE',
    {
      placeholder: 'condition',
    },
  ),
  timeout: durationFlag(
    'time to wait for each object; 0 to look once, a negative one for a week (default 30s)',
    { mayBeNegative: true },
  ),
  output: outputFlag(forms),
  ...templateFlags,
  showManagedFields: switchFlag('managed fields in JSON and YAML'),
};

type Flags = FlagValues<typeof flags>;

const defaultTimeoutMs = 30_000;
const weekMs = 7 * 24 * 60 * 60 * 1000;

/** Waits until objects fulfil a condition. */
export const wait = defineCommand({
  name: 'wait',
  usage: '(TYPE NAME... | TYPE/NAME... | TYPE -l SELECTOR | TYPE --all | -f FILE) --for CONDITION',
  summary: 'Waits until objects are deleted or have a condition, one object after the other.',
  examples: [
    'wait deployment/shop --for=condition=Available',
    'wait pods -l tier=front --for=condition=Ready=false --timeout=2m',
    "wait pod/shop-0 --for=jsonpath='{.status.phase}'=Running",
    'wait configmap/settings --for=delete --timeout=60s',
  ],
  flags,
  async run({ flags, words, open }) {
    checkFlags(words, flags);
    const output = outputFrom(flags, forms);
    const condition = parseWaitCondition(flags.for ?? '');
    const session = open({ inputIsTaken: flags.filename.includes('-') });
    const { terminal } = session;
    const places = await findPlaces(session, words, flags);
    if (places.length === 0 && !condition.isDeletion) throw new CommandError('no matching resources found');
    let written = 0;
    let failed = 0;
    for (const place of places) {
      try {
        const object = await waitForPlace(session, place, { condition, timeoutMs: timeoutFrom(flags) });
        if (object === undefined) continue;
        const isWhole = flags.showManagedFields || output.printer !== undefined;
        const shown = isWhole ? object : withoutManagedFields(object);
        await terminal.out(objectText(place, shown, { output, isFirst: written++ === 0 }));
      } catch (error) {
        if (!(error instanceof StatusError || error instanceof CommandError)) throw error;
        failed++;
        terminal.err(`${errorText(error)}\n`);
      }
    }
    return failed === 0 ? 0 : 1;
  },
});

function checkFlags(words: readonly string[], given: Flags): void {
  checkPlaceFlags(words, given);
  const isSelecting = given.all || given.selector !== undefined || given.fieldSelector !== undefined;
  if (hasNames(words) && given.all) throw new UsageError('name cannot be provided when --all is specified');
  if (given.filename.length === 0 && words.length > 0 && !hasNames(words) && !isSelecting)
    throw new UsageError('resource(s) were provided, but no name was specified');
}

function timeoutFrom({ timeout = defaultTimeoutMs }: Flags): number {
  return timeout < 0 ? weekMs : timeout;
}

/** The last state of an object that fulfils the condition; undefined for one that was gone from the start. */
async function waitForPlace(
  session: Session,
  place: Place,
  { condition, timeoutMs }: { readonly condition: WaitCondition; readonly timeoutMs: number },
): Promise<JsonObject | undefined> {
  const { type, name, path } = place;
  let object: JsonObject;
  try {
    object = await session.client.json<JsonObject>({ method: 'GET', path });
  } catch (error) {
    if (condition.isDeletion && error instanceof StatusError && error.reason === 'NotFound') return undefined;
    throw error;
  }
  if (condition.isMet(object)) return object;
  if (timeoutMs === 0) throw new CommandError(`condition not met for ${type.resource}/${name}`);
  return (await waitForObject(session, place, { isMet: condition.isMet, timeoutMs })) ?? object;
}

function objectText(
  { type, name }: Place,
  object: JsonObject,
  { output, isFirst }: { readonly output: Output; readonly isFirst: boolean },
): string {
  const { form, printer } = output;
  if (printer !== undefined) return printer.print(object);
  if (form === 'json') return documentText(object, form);
  if (form === 'yaml') return (isFirst ? '' : '---\n') + documentText(object, form);
  return `${singularName(type)}/${name}${form === 'name' ? '' : ' condition met'}\n`;
}
