const own = 'x-cluster-';
const alias = 'x-kubernetes-';
/** Extensions whose name differs by more than the prefix: the own name, and the alias's. */
const others: ReadonlyMap<string, string> = new Map([['embedded-type', 'embedded-resource']]);
const ownOthers: ReadonlyMap<string, string> = new Map([...others].map(([from, to]) => [to, from]));

/** Whether a name is that of an extension of this API, `x-cluster-…`. */
export function isOwnExtension(name: string): boolean {
  return name.startsWith(own);
}

/** The name that existing clients have for an extension, `x-kubernetes-…`; another name comes back as it is. */
export function aliasOfExtension(name: string): string {
  if (!name.startsWith(own)) return name;
  const rest = name.slice(own.length);
  return alias + (others.get(rest) ?? rest);
}

/** The own name of what existing clients call `x-kubernetes-…`; undefined for a name that is not of that form. */
export function extensionOfAlias(name: string): string | undefined {
  if (!name.startsWith(alias)) return undefined;
  const rest = name.slice(alias.length);
  return own + (ownOthers.get(rest) ?? rest);
}
