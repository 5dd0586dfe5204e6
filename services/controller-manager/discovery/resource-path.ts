/** A served resource type, by the parts of its path. */
export interface ServedResource {
  /** Group as in paths, "" for core. */
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** Creates the path of a version of a group: `/api/v1`, `/apis/apps/v1`. */
export function groupVersionPath({ group, version }: Pick<ServedResource, 'group' | 'version'>): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

/** Creates the path of a collection: that of one namespace, or of all objects where the namespace is empty. */
export function collectionPath(resource: ServedResource, namespace: string): string {
  const within = namespace === '' ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${groupVersionPath(resource)}${within}/${resource.resource}`;
}

/** Creates the path of an object; the namespace is empty for cluster-scoped objects. */
export function objectPath(resource: ServedResource, namespace: string, name: string): string {
  return `${collectionPath(resource, namespace)}/${encodeURIComponent(name)}`;
}
