import type { DiscoveredResource } from '../discovery/discover-resources.ts';
import type { GraphObject } from '../garbage-collector/dependency-graph.ts';

/** Types that tests build graphs of. */
export const configMaps: DiscoveredResource = {
  group: '',
  version: 'v1',
  resource: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
  verbs: ['delete', 'get', 'list', 'watch'],
};
export const nodes: DiscoveredResource = {
  ...configMaps,
  resource: 'nodes',
  kind: 'Node',
  namespaced: false,
};

/** A live ConfigMap of namespace `n` whose name is its uid, for tests; a node has no namespace. */
export function graphObject(uid: string, more: Partial<GraphObject> = {}): GraphObject {
  const type = more.type ?? configMaps;
  const namespace = type.namespaced ? 'n' : '';
  return { uid, type, namespace, name: uid, owners: [], stage: 'live', metadata: {}, ...more };
}

/** A reference to a ConfigMap whose name is its uid, for tests. */
export function ownedBy(uid: string, more: Partial<GraphObject['owners'][number]> = {}) {
  return { apiVersion: 'v1', kind: 'ConfigMap', name: uid, uid, ...more };
}
