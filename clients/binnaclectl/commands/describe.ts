import { StatusError } from '@binnacle/status-errors';
import { type FlagValues, switchFlag } from '../arguments/flag.ts';
import { describeObject } from '../descriptions/describe-object.ts';
import { checkPlaceFlags, findPlaces } from '../objects/find-places.ts';
import type { Place } from '../objects/place.ts';
import { CommandError, errorText, UsageError } from '../output/errors.ts';
import type { Session } from '../session/session.ts';
import { defineCommand } from './command.ts';
import { fileFlags } from './file-flags.ts';
import { chunkFlags, defaultChunkSize, selectionFlags } from './read-flags.ts';

const { fieldSelector: _, ...selectors } = selectionFlags;

const flags = {
  ...fileFlags,
  ...selectors,
  ...chunkFlags,
  showEvents: switchFlag('the events of each object', { defaultValue: true }),
  showManagedFields: switchFlag('managed fields of kinds without a description of their own'),
};

/** Describes objects for a person. */
export const describe = defineCommand({
  name: 'describe',
  usage: '(TYPE[,TYPE] [NAME... | NAME_PREFIX] | TYPE/NAME... | -f FILE)',
  summary: 'Describes objects, all of a type or some by name or prefix, with their events.',
  examples: [
    'describe namespace shop',
    'describe deployments -l tier=front',
    'describe pods shop-',
    'describe -f shop.yaml --show-events=false',
  ],
  flags,
  async run({ flags, words, open }) {
    if (words.length === 0 && flags.filename.length === 0)
      throw new UsageError('You must specify the type of resource to describe');
    checkPlaceFlags(words, flags);
    const session = open({ inputIsTaken: flags.filename.includes('-') });
    const { terminal } = session;
    const options = { ...flags, chunkSize: flags.chunkSize ?? defaultChunkSize };
    const places = await findPlaces(session, words, flags);
    if (places.length === 0) terminal.err(nothingFound(session, flags));
    let described = 0;
    const errors = new Set<string>();
    for (const place of places) {
      try {
        const text = await describeObject(session, place, options);
        await terminal.out(described++ === 0 ? text : `\n\n${text}`);
      } catch (error) {
        if (!(error instanceof StatusError || error instanceof CommandError)) throw error;
        const matching = words.length === 2 && isNotFound(error) ? await matchingPlaces(session, words) : [];
        for (const each of matching) await terminal.out(`${await describeObject(session, each, options)}\n`);
        if (matching.length === 0) errors.add(errorText(error));
      }
    }
    for (const text of errors) terminal.err(`${text}\n`);
    return errors.size === 0 ? 0 : 1;
  },
});

/** The places of the objects of a type whose names begin with a word. */
async function matchingPlaces(
  session: Session,
  [type = '', prefix = '']: readonly string[],
): Promise<Place[]> {
  if (prefix.includes('/')) return [];
  const all = await findPlaces(session, [type], { filename: [], recursive: false });
  return all.filter(({ name }) => name.startsWith(prefix));
}

function isNotFound(error: unknown): boolean {
  return error instanceof StatusError && error.reason === 'NotFound';
}

function nothingFound({ namespace }: Session, { allNamespaces }: FlagValues<typeof flags>): string {
  return allNamespaces ? 'No resources found\n' : `No resources found in ${namespace} namespace.\n`;
}
