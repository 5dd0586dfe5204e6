import type { KindRules } from './kind-rules.ts';
import type { ScalePaths, SubresourceDefinition, Verb } from './resource-definition.ts';

/** A resource in a group's `resources.ts`; the remaining parts of its definition follow from the group and the proto. */
export interface ResourceDeclaration {
  readonly kind: string;
  readonly resource: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly Verb[];
  readonly subresources: readonly SubresourceDefinition[];
  readonly rules: KindRules;
  /** Whether objects are stored; false for operations, see `operation`. */
  readonly stored: boolean;
  /** The storage version, if it is another one. */
  readonly storageVersion?: string;
  /** The group of the stored objects, if it is another one. */
  readonly storageGroup?: string;
  /** The storage version of kube-apiserver 1.26, which it hashes for discovery, if it is not `storageVersion`. */
  readonly hashedVersion?: string;
  /** The deprecation warning for clients of the resource. */
  readonly deprecation?: string;
  /** The release that removes the resource, such as `1.29`; absent: none. */
  readonly removedRelease?: string;
}

/** A group version, its proto package and its resources. */
export interface GroupVersionDeclaration {
  readonly group: string;
  readonly version: string;
  readonly protoPackage: string;
  readonly resources: readonly ResourceDeclaration[];
}

/** The verbs of an unrestricted resource. */
export const standardVerbs: readonly Verb[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

/** Declares a stored resource; default: all verbs, no subresources, short names or categories. */
export function resource(
  facts: Pick<ResourceDeclaration, 'kind' | 'resource' | 'namespaced' | 'rules'> &
    Partial<ResourceDeclaration>,
): ResourceDeclaration {
  return { shortNames: [], categories: [], verbs: standardVerbs, subresources: [], stored: true, ...facts };
}

/** Declares an operation, a resource that can only be created and is not stored. */
export function operation(
  facts: Pick<ResourceDeclaration, 'kind' | 'resource' | 'namespaced'>,
): ResourceDeclaration {
  return resource({ ...facts, verbs: ['create'], rules: {}, stored: false });
}

/** Creates the status subresource of a kind. */
export function statusSubresource(kind: string): SubresourceDefinition {
  return { name: 'status', kind, verbs: ['get', 'patch', 'update'] };
}

/** Creates the scale subresource; the default paths are those of most kinds. */
export function scaleSubresource(paths: Partial<ScalePaths> = {}): SubresourceDefinition {
  return {
    name: 'scale',
    group: 'autoscaling',
    version: 'v1',
    kind: 'Scale',
    verbs: ['get', 'patch', 'update'],
    scale: {
      specReplicasPath: '.spec.replicas',
      statusReplicasPath: '.status.replicas',
      labelSelectorPath: '.spec.selector',
      ...paths,
    },
  };
}
