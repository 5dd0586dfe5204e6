import { lookup } from 'node:dns/promises';

/** Looks up a name; rejects with the error of the system's resolver. */
type NameLookup = (name: string) => Promise<unknown>;

/** A name that does not exist: the name service's negative answer shows that it works. */
const probedName = 'readiness.invalid';

/**
 * Creates a check that rejects while no name service answers. At most one look-up is under way: the system's look-ups take long and
 * share few threads with those for webhooks.
 */
export function createNameServiceCheck(look: NameLookup = name => lookup(name)): () => Promise<void> {
  let pending: Promise<void> | undefined;
  const probe = async (): Promise<void> => {
    try {
      await look(probedName);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code !== 'ENOTFOUND' && code !== 'ENODATA') throw error;
    }
  };
  return () => {
    pending ??= probe().finally(() => {
      pending = undefined;
    });
    return pending;
  };
}
