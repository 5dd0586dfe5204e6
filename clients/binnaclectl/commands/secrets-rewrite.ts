import type { JsonObject } from '@binnacle/api-objects';
import type { DirectClient } from '@binnacle/client';
import { StatusError } from '@binnacle/status-errors';
import { textsFlag } from '../arguments/flag.ts';
import { resolveType } from '../discovery/resolve-type.ts';
import {
  fullResourceName,
  type ResourceType,
  resourcePath,
  singularName,
} from '../discovery/resource-type.ts';
import { type Item, pageFrom } from '../objects/page.ts';
import { createPlace, type Place } from '../objects/place.ts';
import { acceptFor, readAll } from '../objects/read-objects.ts';
import { CommandError, errorText, UsageError } from '../output/errors.ts';
import type { Session } from '../session/session.ts';
import { defineCommand } from './command.ts';

/** Has the server store objects anew, so that each is encrypted with the first key of its configuration. */
export const secretsRewrite = defineCommand({
  name: 'secrets rewrite',
  usage: '[--resource=TYPE]...',
  summary:
    'Writes every Secret of all namespaces, or of the one of -n, without a change: the server stores those again that it would encrypt otherwise by now. Needs the rights to list and to patch.',
  examples: ['secrets rewrite', 'secrets rewrite --resource=configmaps --resource=anvils.acme.example'],
  flags: {
    resource: textsFlag('types to write in place of secrets; may be given several times'),
  },
  async run({ flags, words, open }) {
    if (words.length > 0) throw new UsageError(`unexpected arguments: ${words.join(' ')}`);
    const session = open();
    const names = flags.resource.length === 0 ? ['secrets'] : flags.resource;
    const types: ResourceType[] = [];
    for (const name of names) types.push(await resolveType(session.discovery, name));
    for (const type of types)
      for (const verb of ['list', 'patch'])
        if (!type.verbs.includes(verb))
          throw new CommandError(`the server cannot ${verb} ${fullResourceName(type)}`);
    let failed = 0;
    for (const type of types) failed += await rewriteType(session, type);
    return failed === 0 ? 0 : 1;
  },
});

/** Results of one type. */
interface Counts {
  /** Objects that the server stored again. */
  rewritten: number;
  /** Objects that were stored with the first key already. */
  current: number;
  /** Objects that were deleted meanwhile. */
  gone: number;
  failed: number;
}

const chunkSize = 500;
/** Requests under way at a time. */
const workers = 4;
/** Objects after which progress is shown. */
const progressEvery = 1_000;

/** Rewrites all objects of a type; resolves with the number of those that failed. */
async function rewriteType(session: Session, type: ResourceType): Promise<number> {
  const { client, terminal } = session;
  const selection = {
    path: resourcePath(type, session.namespaceIsGiven ? session.namespace : undefined),
    labelSelector: '',
    fieldSelector: '',
    accept: acceptFor('name', { single: false }),
  };
  const { items } = await readAll(client, selection, chunkSize);
  const counts: Counts = { rewritten: 0, current: 0, gone: 0, failed: 0 };
  const queue = items.values();
  let done = 0;
  const work = async (): Promise<void> => {
    for (const item of queue) {
      const place = createPlace(type, item.metadata.namespace, item.metadata.name);
      try {
        counts[await rewrite(client, place, item)]++;
      } catch (error) {
        // Without an answer the others would fail too.
        if (!(error instanceof StatusError)) throw error;
        counts.failed++;
        terminal.err(`${singularName(type)} ${place.namespace ?? ''}/${place.name}: ${errorText(error)}\n`);
      }
      done++;
      if (done % progressEvery === 0)
        terminal.err(`${fullResourceName(type)}: ${done} of ${items.length} written\n`);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  await terminal.out(`${fullResourceName(type)}: ${countsText(counts)}\n`);
  return counts.failed;
}

function countsText({ rewritten, current, gone, failed }: Counts): string {
  return [
    `${rewritten} rewritten`,
    `${current} current already`,
    ...(gone > 0 ? [`${gone} deleted meanwhile`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ].join(', ');
}

/** The most conflicts with other writers of one object. */
const mostConflicts = 20;

/** Writes an object without a change, if it is still as it was listed; one that changed is read anew. */
async function rewrite(
  client: Pick<DirectClient, 'json'>,
  { path }: Place,
  { metadata }: Item,
): Promise<'rewritten' | 'current' | 'gone'> {
  const accept = acceptFor('name', { single: true });
  let { resourceVersion } = metadata;
  for (let conflicts = 0; ; conflicts++) {
    try {
      const answer = await client.json<JsonObject>({
        method: 'PATCH',
        path: `${path}?fieldManager=binnaclectl`,
        accept,
        contentType: 'application/merge-patch+json',
        body: { metadata: { resourceVersion } },
      });
      return versionOf(answer) === resourceVersion ? 'current' : 'rewritten';
    } catch (error) {
      if (error instanceof StatusError && error.code === 404) return 'gone';
      if (!(error instanceof StatusError && error.code === 409) || conflicts === mostConflicts) throw error;
    }
    try {
      resourceVersion = versionOf(await client.json<JsonObject>({ method: 'GET', path, accept }));
    } catch (error) {
      if (error instanceof StatusError && error.code === 404) return 'gone';
      throw error;
    }
  }
}

const versionOf = (answer: JsonObject): string => pageFrom(answer).items[0]?.metadata.resourceVersion ?? '';
