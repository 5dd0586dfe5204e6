import type { KindRules, SubresourceDefinition, Verb } from './definitions.ts';

/** What is said of a resource in one line of a group's `resources.ts`; the rest follows from the group and the proto. */
export interface ResourceDeclaration {
  readonly kind: string;
  readonly resource: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly Verb[];
  readonly subresources: readonly SubresourceDefinition[];
  readonly rules: KindRules;
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

/** Declares a resource; verbs default to all, the rest to none. */
export function resource(
  facts: Pick<ResourceDeclaration, 'kind' | 'resource' | 'namespaced' | 'rules'> &
    Partial<ResourceDeclaration>,
): ResourceDeclaration {
  return { shortNames: [], categories: [], verbs: standardVerbs, subresources: [], ...facts };
}

/** The status subresource of a kind. */
export function statusOf(kind: string): SubresourceDefinition {
  return { name: 'status', kind, verbs: ['get', 'patch', 'update'] };
}
