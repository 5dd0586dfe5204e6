import type { User } from '../../request/api-request.ts';
import type { AuditLevel } from '../../request/exchange.ts';
import type { RequestTarget, ResourceTarget } from '../../request/request-target.ts';
import type { AuditPolicy, AuditRule, AuditStage, GroupResources } from './audit-policy.ts';

/** The decision of a policy on one request. */
export interface AuditDecision {
  readonly level: AuditLevel;
  readonly omitStages: ReadonlySet<AuditStage>;
  readonly omitManagedFields: boolean;
}

/** Decides on a request; `user` is undefined when it is not known. */
export type DecideAudit = (user: User | undefined, target: RequestTarget) => AuditDecision;

/** The decision on requests that no rule matches. */
const noAudit: AuditDecision = { level: 'None', omitStages: new Set(), omitManagedFields: false };

/** Creates the function that evaluates a policy; the decision of each rule is built once. */
export function createAuditDecider(policy: AuditPolicy): DecideAudit {
  const rules = policy.rules.map(rule => ({
    rule,
    decision: {
      level: rule.level,
      omitStages: new Set([...policy.omitStages, ...rule.omitStages]),
      omitManagedFields: rule.omitManagedFields ?? policy.omitManagedFields,
    },
  }));
  return (user, target) => {
    for (const { rule, decision } of rules) if (matches(rule, user, target)) return decision;
    return noAudit;
  };
}

function matches(rule: AuditRule, user: User | undefined, target: RequestTarget): boolean {
  const { users, userGroups, verbs, namespaces, resources, nonResourceURLs } = rule;
  if (users.length > 0 && !(user !== undefined && users.includes(user.username))) return false;
  if (userGroups.length > 0 && !user?.groups.some(group => userGroups.includes(group))) return false;
  if (verbs.length > 0 && !verbs.includes(target.verb)) return false;
  if (namespaces.length > 0 || resources.length > 0)
    return target.kind === 'resource' && matchesResource(rule, target);
  if (nonResourceURLs.length > 0)
    return target.kind === 'path' && nonResourceURLs.some(url => matchesPath(url, target.path));
  return true;
}

function matchesResource({ namespaces, resources }: AuditRule, target: ResourceTarget): boolean {
  if (namespaces.length > 0 && !namespaces.includes(target.namespace)) return false;
  return resources.length === 0 || resources.some(group => isAmong(group, target));
}

function isAmong({ group, resources, resourceNames }: GroupResources, target: ResourceTarget): boolean {
  if (group !== target.canonicalGroup) return false;
  if (resources.length === 0) return true;
  if (resourceNames.length > 0 && !resourceNames.includes(target.requestedName)) return false;
  const { resource, subresource } = target;
  const full = subresource === '' ? resource : `${resource}/${subresource}`;
  return resources.some(
    text =>
      text === '*' ||
      text === full ||
      text === `${resource}/*` ||
      (subresource !== '' && text === `*/${subresource}`),
  );
}

function matchesPath(url: string, path: string): boolean {
  return url.endsWith('*') ? path.startsWith(url.slice(0, -1)) : url === path;
}
