import { annotations, groups, labels, namespaces } from '@binnacle/api-names';
import { isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import {
  canonicalGroup,
  isSameReference,
  type SystemPriorityClass,
  systemPriorityClasses,
  type TypeRegistry,
} from '@binnacle/api-types';
import {
  defaultBindings,
  defaultRoles,
  withdrawnRules,
} from '../authorization/default-policy/default-policy.ts';
import type {
  DefaultBinding,
  DefaultRole,
  RoleRule,
  RoleSubject,
} from '../authorization/default-policy/role-rule.ts';
import { policyRulesFrom } from '../authorization/policy-rule.ts';
import { uncoveredRules } from '../authorization/rbac/rule-coverage.ts';
import { apiServiceObjects } from './api-services.ts';
import { flowControlObjects } from './default-flow-control.ts';
import type { BootstrapObject, ReconciledParts, WithdrawnRules } from './ensure-objects.ts';

/** Metadata of every default object of the policy. */
const policyMetadata = {
  labels: { [labels.bootstrapping]: 'rbac-defaults' },
  annotations: { [annotations.rbacAutoupdate]: 'true' },
};

const withdrawn: WithdrawnRules = { rules: withdrawnRules.map(ruleContent), lacks: lacksRights };
const rulesReconciled: ReconciledParts = { list: ['rules'], lacks: lacksRights, withdrawn };
const selectorsReconciled: ReconciledParts = {
  list: ['aggregationRule', 'clusterRoleSelectors'],
  lacks: lacksEntry,
  // The controller that gathers rules does the same later; until then the right would hold.
  withdrawn,
};
const subjectsReconciled: ReconciledParts = { list: ['subjects'], lacks: lacksEntry, fixed: 'roleRef' };

const systemNamespaces = ['default', ...Object.values(namespaces)];

/**
 * The default objects of a store: the namespaces that others build on, the priority classes of the system, the default
 * policy for the types that are served, the configuration of flow control, and the APIServices of the groups that are
 * served.
 */
export function bootstrapObjects(registry: Pick<TypeRegistry, 'groups' | 'resource'>): BootstrapObject[] {
  return [
    ...systemNamespaces.map(namespaceObject),
    ...systemPriorityClasses.map(priorityClassObject),
    ...defaultRoles.map(role => roleObject(role, registry)),
    ...defaultBindings.map(bindingObject),
    ...flowControlObjects(),
    ...apiServiceObjects(registry),
  ];
}

function namespaceObject(name: string): BootstrapObject {
  return {
    group: '',
    version: 'v1',
    resource: 'namespaces',
    name,
    content: { metadata: {} },
    comesBack: true,
    reconciled: undefined,
  };
}

function priorityClassObject({ name, value, description }: SystemPriorityClass): BootstrapObject {
  return {
    group: groups.scheduling,
    version: 'v1',
    resource: 'priorityclasses',
    name,
    content: { metadata: {}, value, description },
    comesBack: false,
    reconciled: undefined,
  };
}

function roleObject(role: DefaultRole, registry: Pick<TypeRegistry, 'resource'>): BootstrapObject {
  const { aggregates = [] } = role;
  const rules = [...role.rules, ...servedRules(role, registry)];
  const selectors = aggregates.map(label => ({ matchLabels: { [label]: 'true' } }));
  const content: JsonObject = {
    metadata: { ...policyMetadata, labels: { ...policyMetadata.labels, ...role.labels } },
    ...(selectors.length === 0 ? {} : { aggregationRule: { clusterRoleSelectors: selectors } }),
    rules: rules.map(ruleContent),
  };
  // The rules of a role that gathers others belong to the controller that does it.
  const reconciled = selectors.length === 0 ? rulesReconciled : selectorsReconciled;
  return { ...policyObject(role, 'Role'), content, comesBack: false, reconciled };
}

/** The type, namespace and name of an object of the policy, which is a cluster-scoped one without a namespace. */
function policyObject(
  { name, namespace }: Pick<DefaultRole, 'name' | 'namespace'>,
  kind: 'Role' | 'RoleBinding',
): Pick<BootstrapObject, 'group' | 'version' | 'resource' | 'namespace' | 'name'> {
  const resource = `${kind.toLowerCase()}s`;
  const where = { group: groups.rbac, version: 'v1', name };
  return namespace === undefined
    ? { ...where, resource: `cluster${resource}` }
    : { ...where, resource, namespace };
}

function servedRules({ whenServed = [] }: DefaultRole, registry: Pick<TypeRegistry, 'resource'>): RoleRule[] {
  const isServed = (version: string, { apiGroups = [], resources = [] }: RoleRule) =>
    apiGroups.some(group => resources.some(name => registry.resource(group, version, name) !== undefined));
  return whenServed.filter(({ version, rule }) => isServed(version, rule)).map(({ rule }) => rule);
}

function bindingObject(binding: DefaultBinding): BootstrapObject {
  const { namespace, role, subjects } = binding;
  const content: JsonObject = {
    metadata: policyMetadata,
    roleRef: {
      apiGroup: groups.rbac,
      kind: namespace === undefined ? 'ClusterRole' : 'Role',
      name: role,
    },
    ...(subjects.length > 0 && { subjects: subjects.map(subjectContent) }),
  };
  return {
    ...policyObject(binding, 'RoleBinding'),
    content,
    comesBack: false,
    reconciled: subjectsReconciled,
  };
}

function lacksEntry(present: readonly JsonValue[], entry: JsonValue): boolean {
  return !present.some(other => isSameReference(other, entry));
}

/** Whether rules lack rights of an entry; a role that gives the same rights in other words lacks none. */
function lacksRights(present: readonly JsonValue[], entry: JsonValue): boolean {
  const parseRules = (rules: readonly JsonValue[]) =>
    policyRulesFrom(rules.filter(isJsonObject), canonicalGroup);
  return uncoveredRules(parseRules(present), parseRules([entry])).length > 0;
}

function ruleContent(rule: RoleRule): JsonObject {
  return Object.fromEntries(Object.entries(rule).map(([field, values]) => [field, [...values]]));
}

function subjectContent({ kind, name, namespace }: RoleSubject): JsonObject {
  return namespace === undefined ? { kind, apiGroup: groups.rbac, name } : { kind, name, namespace };
}
