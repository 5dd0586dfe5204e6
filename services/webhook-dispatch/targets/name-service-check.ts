import { lookup } from 'node:dns/promises';

/** Looks a name up; rejects with what the system's resolver says. */
type NameLookup = (name: string) => Promise<unknown>;

/** No name service has it: that it says so is the answer. */
const probedName = 'readiness.invalid';

/**
 * A check that rejects while no name service answers. At most one lookup is under way: those of the system wait long, and
 * share few threads with those of webhooks.
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
