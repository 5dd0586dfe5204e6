import { type ApiObject, isJsonObject, type JsonObject } from '@binnacle/api-objects';
import { asNumber, asObject, asObjects, asText, asTexts, canonicalGroup } from '@binnacle/api-types';

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

/** Which resource requests a rule matches. */
export interface ResourceRule {
  readonly verbs: ReadonlySet<string>;
  /** In canonical form. */
  readonly groups: ReadonlySet<string>;
  readonly resources: ReadonlySet<string>;
  readonly namespaces: ReadonlySet<string>;
  /** Whether it matches requests without a namespace. */
  readonly clusterScope: boolean;
}

/** Which requests for paths a rule matches. */
export interface PathRule {
  readonly verbs: ReadonlySet<string>;
  readonly paths: ReadonlySet<string>;
  /** Each ends with a slash: `/healthz/*` matches everything below `/healthz/`. */
  readonly prefixes: readonly string[];
}

/** Reads a stored FlowSchema. Rules that no longer pass validation match nothing. */
export function flowSchemaFrom(object: ApiObject): FlowSchema {
  const spec = object['spec'];
  const { name = '', uid = '' } = object.metadata;
  return { ...flowSchemaOfSpec(name, isJsonObject(spec) ? spec : {}), uid };
}

/** Reads the spec of a FlowSchema that is not stored. */
export function flowSchemaOfSpec(name: string, spec: JsonObject): FlowSchema {
  const method = asText(asObject(spec['distinguisherMethod'])?.['type']);
  return {
    name,
    uid: '',
    precedence: asNumber(spec['matchingPrecedence']),
    priorityLevel: asText(asObject(spec['priorityLevelConfiguration'])?.['name']),
    distinguisher: method === 'ByUser' || method === 'ByNamespace' ? method : undefined,
    rules: asObjects(spec['rules']).map(flowRule),
  };
}

/** Puts schemas in the order in which they are tried: by precedence, then by name. */
export function inMatchingOrder(schemas: readonly FlowSchema[]): FlowSchema[] {
  return schemas.toSorted((a, b) => a.precedence - b.precedence || (a.name < b.name ? -1 : 1));
}

function flowRule(rule: JsonObject): FlowRule {
  const subjects = asObjects(rule['subjects']);
  const named = (kind: string, field: string) =>
    subjects
      .filter(subject => subject['kind'] === kind)
      .map(subject => asObject(subject[field]) ?? {})
      .map(subject => ({ name: asText(subject['name']), namespace: asText(subject['namespace']) }));
  return {
    users: new Set(named('User', 'user').map(({ name }) => name)),
    groups: new Set(named('Group', 'group').map(({ name }) => name)),
    serviceAccounts: new Set(
      named('ServiceAccount', 'serviceAccount').map(({ namespace, name }) => `${namespace}:${name}`),
    ),
    resources: asObjects(rule['resourceRules']).map(resourceRule),
    paths: asObjects(rule['nonResourceRules']).map(pathRule),
  };
}

function resourceRule(rule: JsonObject): ResourceRule {
  const resources = asTexts(rule['resources']);
  return {
    verbs: new Set(asTexts(rule['verbs'])),
    groups: new Set(asTexts(rule['apiGroups']).map(canonicalGroup)),
    resources: new Set(resources.includes('*/*') ? [...resources, '*'] : resources),
    namespaces: new Set(asTexts(rule['namespaces'])),
    clusterScope: rule['clusterScope'] === true,
  };
}

function pathRule(rule: JsonObject): PathRule {
  const urls = asTexts(rule['nonResourceURLs']);
  return {
    verbs: new Set(asTexts(rule['verbs'])),
    paths: new Set(urls),
    prefixes: urls.filter(url => url.endsWith('/*')).map(url => url.slice(0, -1)),
  };
}
