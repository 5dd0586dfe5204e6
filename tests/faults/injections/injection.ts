/** A fault that is under way. */
export interface Injection extends AsyncDisposable {
  /** The fault in words, for reports: `freeze etcd-1`. */
  readonly what: string;
  /** Puts things back; does nothing the second time. */
  end(): Promise<void>;
}

/** Makes a fault out of its name and of what ends it. */
export function createInjection(what: string, undo: () => Promise<void> | void): Injection {
  let ended: Promise<void> | undefined;
  const end = (): Promise<void> => {
    ended ??= (async () => undo())();
    return ended;
  };
  return { what, end, [Symbol.asyncDispose]: end };
}

/** Several faults as one: they end in the reverse order of their beginnings. */
export function combineInjections(injections: readonly Injection[]): Injection {
  return createInjection(injections.map(({ what }) => what).join(', '), async () => {
    for (const injection of injections.toReversed()) await injection.end();
  });
}
