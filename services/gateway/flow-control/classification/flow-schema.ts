import { canonicalGroup } from '@binnacle/api-types';
import type {
  FlowSchema as FlowSchemaObject,
  FlowSchemaSpec,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
} from '@binnacle/api-types/flowcontrol/v1beta3';

/** A FlowSchema as classification uses it. */
export interface FlowSchema {
  readonly name: string;
  /** "" for a mandatory schema that is not stored yet. */
  readonly uid: string;
  readonly precedence: number;
  readonly priorityLevel: string;
  /** Undefined: all requests of the schema are one flow. */
  readonly distinguisher: 'ByUser' | 'ByNamespace' | undefined;
  readonly rules: readonly FlowRule[];
}

/** One rule: subjects, and the requests of theirs that it matches. */
export interface FlowRule {
  readonly users: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  /** `namespace:name`, or `namespace:*` for all service accounts of a namespace. */
  readonly serviceAccounts: ReadonlySet<string>;
  readonly resources: readonly ResourceRule[];
  readonly paths: readonly PathRule[];
}

/** The resource requests that a rule matches. */
export interface ResourceRule {
  readonly verbs: ReadonlySet<string>;
  /** In canonical form. */
  readonly groups: ReadonlySet<string>;
  readonly resources: ReadonlySet<string>;
  readonly namespaces: ReadonlySet<string>;
  /** Whether it matches requests without a namespace. */
  readonly clusterScope: boolean;
}

/** The requests for paths that a rule matches. */
export interface PathRule {
  readonly verbs: ReadonlySet<string>;
  readonly paths: ReadonlySet<string>;
  /** Each ends with a slash: `/healthz/*` matches everything below `/healthz/`. */
  readonly prefixes: readonly string[];
}

/** Reads a stored FlowSchema. Rules that no longer pass validation match nothing. */
export function flowSchemaFrom({ metadata, spec = {} }: FlowSchemaObject): FlowSchema {
  const { name = '', uid = '' } = metadata;
  return { ...flowSchemaOfSpec(name, spec), uid };
}

/** Reads the spec of a FlowSchema that is not stored. */
export function flowSchemaOfSpec(name: string, spec: FlowSchemaSpec): FlowSchema {
  const method = spec.distinguisherMethod?.type;
  return {
    name,
    uid: '',
    precedence: spec.matchingPrecedence ?? 0,
    priorityLevel: spec.priorityLevelConfiguration?.name ?? '',
    distinguisher: method === 'ByUser' || method === 'ByNamespace' ? method : undefined,
    rules: (spec.rules ?? []).map(flowRule),
  };
}

/** Puts schemas in the order in which they are tried: by precedence, then by name. */
export function inMatchingOrder(schemas: readonly FlowSchema[]): FlowSchema[] {
  return schemas.toSorted((a, b) => a.precedence - b.precedence || (a.name < b.name ? -1 : 1));
}

function flowRule(rule: PolicyRulesWithSubjects): FlowRule {
  const ofKind = (kind: string) => (rule.subjects ?? []).filter(subject => subject.kind === kind);
  return {
    users: new Set(ofKind('User').map(({ user }) => user?.name ?? '')),
    groups: new Set(ofKind('Group').map(({ group }) => group?.name ?? '')),
    serviceAccounts: new Set(
      ofKind('ServiceAccount').map(
        ({ serviceAccount: { namespace = '', name = '' } = {} }) => `${namespace}:${name}`,
      ),
    ),
    resources: (rule.resourceRules ?? []).map(resourceRule),
    paths: (rule.nonResourceRules ?? []).map(pathRule),
  };
}

function resourceRule(rule: ResourcePolicyRule): ResourceRule {
  const resources = rule.resources ?? [];
  return {
    verbs: new Set(rule.verbs),
    groups: new Set(rule.apiGroups?.map(canonicalGroup)),
    resources: new Set(resources.includes('*/*') ? [...resources, '*'] : resources),
    namespaces: new Set(rule.namespaces),
    clusterScope: rule.clusterScope === true,
  };
}

function pathRule(rule: NonResourcePolicyRule): PathRule {
  const urls = rule.nonResourceURLs ?? [];
  return {
    verbs: new Set(rule.verbs),
    paths: new Set(urls),
    prefixes: urls.filter(url => url.endsWith('/*')).map(url => url.slice(0, -1)),
  };
}
