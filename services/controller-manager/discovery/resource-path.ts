/** Where the objects of a resource type are served. */
export interface ServedResource {
  /** Group as in paths, "" for core. */
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** The path of a version of a group: `/api/v1`, `/apis/apps/v1`. */
export function groupVersionPath({ group, version }: Pick<ServedResource, 'group' | 'version'>): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

/** The path of a collection: of all objects with an empty namespace, else of those in the namespace. */
export function collectionPath(resource: ServedResource, namespace: string): string {
  const within = namespace === '' ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${groupVersionPath(resource)}${within}/${resource.resource}`;
}

/** The path of an object; the namespace is empty for one that has none. */
export function objectPath(resource: ServedResource, namespace: string, name: string): string {
  return `${collectionPath(resource, namespace)}/${encodeURIComponent(name)}`;
}
