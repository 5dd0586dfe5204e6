import type { JsonObject } from '@binnacle/api-objects';
import type { FlagValues } from '../arguments/flag.ts';
import type { globalFlags } from '../arguments/global-flags.ts';
import { configurationFiles } from '../configuration/configuration.ts';
import { resolveType } from '../discovery/resolve-type.ts';
import { fullResourceName, type ResourceType, resourcePath } from '../discovery/resource-type.ts';
import { pageFrom } from '../objects/page.ts';
import { acceptFor } from '../objects/read-objects.ts';
import { openSession } from '../session/session.ts';
import type { Terminal } from '../session/terminal.ts';

/** A word that can stand where the user writes, and what it is. */
export interface Candidate {
  readonly text: string;
  readonly description?: string;
}

/** The names that the server and the client configuration have. */
export interface CandidateSource {
  /** Types, or those that have a verb. */
  types(verb: string | undefined): Promise<Candidate[]>;
  /** Names of objects of a type, in the namespace of the command line. */
  names(type: string): Promise<string[]>;
  namespaces(): Promise<string[]>;
  /** Names of a list of the client configuration. */
  entries(list: 'contexts' | 'clusters' | 'users'): readonly string[];
}

/** More names than these are not asked for. */
const mostNames = 1000;

/** Creates the source of a command line with such flags; it connects at the first use of the server. */
export function createCandidateSource(
  flags: FlagValues<typeof globalFlags>,
  terminal: Terminal,
): CandidateSource & Disposable {
  const sessions = new DisposableStack();
  let opened: ReturnType<typeof openSession> | undefined;
  const session = () => {
    opened ??= sessions.use(openSession(flags, terminal, { inputIsTaken: true }));
    return opened;
  };
  const namesAt = async (path: string): Promise<string[]> => {
    const accept = acceptFor('name', { single: false });
    const document = await session().client.json<JsonObject>({
      method: 'GET',
      path: `${path}?limit=${mostNames}`,
      accept,
    });
    return pageFrom(document).items.map(({ metadata }) => metadata.name);
  };
  return {
    async types(verb) {
      const { types } = await session().discovery.served();
      const shown = types.filter(({ verbs }) => verb === undefined || verbs.includes(verb));
      return uniqueTypes(shown).map(type => ({ text: fullResourceName(type), description: type.kind }));
    },
    async names(type) {
      const resolved = await resolveType(session().discovery, type);
      return await namesAt(resourcePath(resolved, resolved.namespaced ? session().namespace : undefined));
    },
    namespaces: () => namesAt('/api/v1/namespaces'),
    entries: list => configurationFiles(flags.kubeconfig, terminal.env).names(list),
    [Symbol.dispose]: () => sessions.dispose(),
  };
}

/** Each type once, whatever versions it has. */
function uniqueTypes(types: readonly ResourceType[]): ResourceType[] {
  return [...new Map(types.map(type => [fullResourceName(type), type])).values()];
}
