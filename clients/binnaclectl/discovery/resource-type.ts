/** A type that the server serves, in one version. */
export interface ResourceType {
  readonly group: string;
  readonly version: string;
  /** Plural name: `deployments`. */
  readonly resource: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly categories: readonly string[];
}

/** `apps/v1`, and `v1` of the core group. */
export function formatGroupVersion({ group, version }: Pick<ResourceType, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}

/** `deployments.apps`, and `pods` of the core group. */
export function fullResourceName({ group, resource }: ResourceType): string {
  return group === '' ? resource : `${resource}.${group}`;
}

/** `deployment.apps`, and `pod` of the core group: the name of one object's type in output. */
export function singularName({ group, kind }: Pick<ResourceType, 'group' | 'kind'>): string {
  const name = kind.toLowerCase();
  return group === '' ? name : `${name}.${group}`;
}

/** The path of a collection, of all namespaces when none is given, or of one object in it. */
export function resourcePath(type: ResourceType, namespace: string | undefined, name?: string): string {
  const root = type.group === '' ? '/api' : `/apis/${type.group}`;
  const scope =
    type.namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  const object = name === undefined ? '' : `/${encodeURIComponent(name)}`;
  return `${root}/${type.version}${scope}/${type.resource}${object}`;
}
