import { understood } from '@binnacle/api-names';

/** Aliases of schema extensions for existing clients, by canonical name. Only `cluster` has aliases. */
export const extensionAliases: ReadonlyMap<string, string> = new Map(
  Object.values(understood.extensions).flatMap(
    ([own, ...aliases]) => aliases.map(alias => [own!, alias] as const), // The first name always exists.
  ),
);

const ownNames: ReadonlyMap<string, string> = new Map(
  [...extensionAliases].map(([own, alias]) => [alias, own]),
);

/** Returns the canonical name of an extension alias; undefined for other names. */
export function extensionOfAlias(name: string): string | undefined {
  return ownNames.get(name);
}
