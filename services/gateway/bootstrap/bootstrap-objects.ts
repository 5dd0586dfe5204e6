import type { JsonObject } from '@binnacle/api-objects';
import {
  clusterRoleBindings,
  clusterRoles,
  type RoleRule,
  type RoleSubject,
} from '../authorization/rbac/bootstrap-policy.ts';

/** An object that must exist, and how an existing one is brought up to date. */
export interface BootstrapObject {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly name: string;
  /** The object but for kind and apiVersion; its metadata holds labels and annotations at most. */
  readonly content: JsonObject;
  /** Lists whose missing entries are added to an existing object that does not refuse it by annotation. */
  readonly reconciled: readonly string[];
}

const rbacGroup = 'rbac.authorization.cluster.io';
const autoupdate = { [`${rbacGroup}/autoupdate`]: 'true' };
const bootstrapping = { 'cluster.io/bootstrapping': 'rbac-defaults' };

/** The annotation by which an object refuses to be brought up to date: "false". */
export const autoupdateAnnotation: string = `${rbacGroup}/autoupdate`;

const namespaces = ['default', 'cluster-system', 'cluster-public', 'cluster-node-lease'];

/** Everything that an empty store is filled with: the namespaces that others build on, and the default policy. */
export function bootstrapObjects(): BootstrapObject[] {
  return [
    ...namespaces.map(namespaceObject),
    ...clusterRoles.map(roleObject),
    ...clusterRoleBindings.map(bindingObject),
  ];
}

function namespaceObject(name: string): BootstrapObject {
  return {
    group: '',
    version: 'v1',
    resource: 'namespaces',
    name,
    content: { metadata: {} },
    reconciled: [],
  };
}

function roleObject({ name, rules, labels, aggregates }: (typeof clusterRoles)[number]): BootstrapObject {
  const selectors = (aggregates ?? []).map(label => ({ matchLabels: { [label]: 'true' } }));
  const content: JsonObject = {
    metadata: { labels: { ...bootstrapping, ...labels }, annotations: { ...autoupdate } },
    ...(selectors.length === 0 ? {} : { aggregationRule: { clusterRoleSelectors: selectors } }),
    rules: rules.map(ruleContent),
  };
  return { group: rbacGroup, version: 'v1', resource: 'clusterroles', name, content, reconciled: ['rules'] };
}

function bindingObject({ name, role, subjects }: (typeof clusterRoleBindings)[number]): BootstrapObject {
  const content: JsonObject = {
    metadata: { labels: { ...bootstrapping }, annotations: { ...autoupdate } },
    roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name: role },
    subjects: subjects.map(subjectContent),
  };
  return {
    group: rbacGroup,
    version: 'v1',
    resource: 'clusterrolebindings',
    name,
    content,
    reconciled: ['subjects'],
  };
}

function ruleContent(rule: RoleRule): JsonObject {
  return Object.fromEntries(Object.entries(rule).map(([field, values]) => [field, [...values]]));
}

function subjectContent({ kind, name, namespace }: RoleSubject): JsonObject {
  return namespace === undefined ? { kind, apiGroup: rbacGroup, name } : { kind, name, namespace };
}
