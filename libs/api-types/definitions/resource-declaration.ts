import type { KindRules } from './kind-rules.ts';
import type { ScalePaths, SubresourceDefinition, Verb } from './resource-definition.ts';

/** The declaration of a resource in one line of a group's `resources.ts`; the other parts follow from the group and the proto. */
export interface ResourceDeclaration {
  readonly kind: string;
  readonly resource: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly Verb[];
  readonly subresources: readonly SubresourceDefinition[];
  readonly rules: KindRules;
  /** False for operations, see `operation`. */
  readonly stored: boolean;
  /** The version whose form is stored, where it is not this one. */
  readonly storageVersion?: string;
  /** The group whose objects these are another form of, where it is not this one. */
  readonly storageGroup?: string;
  /** The version that kube-apiserver 1.26 stores, and hashes for discovery, where it is not `storageVersion`. */
  readonly hashedVersion?: string;
  /** The warning for every client of the resource. */
  readonly deprecation?: string;
  /** The release that no longer serves it, `1.29`; absent: none is set. */
  readonly removedRelease?: string;
}

/** A version of a group, its proto package and its resources. */
export interface GroupVersionDeclaration {
  readonly group: string;
  readonly version: string;
  readonly protoPackage: string;
  readonly resources: readonly ResourceDeclaration[];
}

/** The verbs of a resource without restrictions. */
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

/** Declares a resource; verbs default to all, the rest to none, and its objects are stored. */
export function resource(
  facts: Pick<ResourceDeclaration, 'kind' | 'resource' | 'namespaced' | 'rules'> &
    Partial<ResourceDeclaration>,
): ResourceDeclaration {
  return { shortNames: [], categories: [], verbs: standardVerbs, subresources: [], stored: true, ...facts };
}

/** Declares a resource that is an operation: it can be created only, and what was created is not kept. */
export function operation(
  facts: Pick<ResourceDeclaration, 'kind' | 'resource' | 'namespaced'>,
): ResourceDeclaration {
  return resource({ ...facts, verbs: ['create'], rules: {}, stored: false });
}

/** The status subresource of a kind. */
export function statusSubresource(kind: string): SubresourceDefinition {
  return { name: 'status', kind, verbs: ['get', 'patch', 'update'] };
}

/** The scale subresource; the figures stand where most kinds have them unless `paths` says otherwise. */
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
