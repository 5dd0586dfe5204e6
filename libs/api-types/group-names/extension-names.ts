import { understood } from '@binnacle/api-names';

/** The extensions of schemas that existing clients have another name for: the own names, with those. Only `cluster` has such. */
export const extensionAliases: ReadonlyMap<string, string> = new Map(
  Object.values(understood.extensions).flatMap(
    ([own, ...aliases]) => aliases.map(alias => [own!, alias] as const), // the own name is always there
  ),
);

const ownNames: ReadonlyMap<string, string> = new Map(
  [...extensionAliases].map(([own, alias]) => [alias, own]),
);

/** The own name of an extension that is called by the name of existing clients; undefined for other names. */
export function extensionOfAlias(name: string): string | undefined {
  return ownNames.get(name);
}
