import type { User } from '../../request/api-request.ts';
import type { RequestTarget } from '../../request/request-target.ts';
import { parseServiceAccount } from '../../request/users.ts';
import type { FlowRule, PathRule, ResourceRule } from './flow-schema.ts';

/** Whether a rule is about a user, whatever the user requests. */
export function concernsUser(rule: FlowRule, user: User): boolean {
  if (holds(rule.users, user.username)) return true;
  if (rule.groups.size > 0 && (rule.groups.has('*') || user.groups.some(group => rule.groups.has(group))))
    return true;
  if (rule.serviceAccounts.size === 0) return false;
  const account = parseServiceAccount(user.username);
  return (
    account !== undefined &&
    (rule.serviceAccounts.has(`${account.namespace}:*`) ||
      rule.serviceAccounts.has(`${account.namespace}:${account.name}`))
  );
}

/** Whether a rule matches what a request is about, for any user. */
export function matchesTarget(rule: FlowRule, target: RequestTarget): boolean {
  return target.kind === 'path'
    ? rule.paths.some(paths => matchesPath(paths, target))
    : rule.resources.some(resources => matchesResource(resources, target));
}

type ResourceTarget = Extract<RequestTarget, { kind: 'resource' }>;
type PathTarget = Extract<RequestTarget, { kind: 'path' }>;

function matchesResource(rule: ResourceRule, target: ResourceTarget): boolean {
  const { verb, canonicalGroup, resource, subresource, namespace } = target;
  return (
    holds(rule.verbs, verb) &&
    holds(rule.resources, subresource === '' ? resource : `${resource}/${subresource}`) &&
    holds(rule.groups, canonicalGroup) &&
    (namespace === '' ? rule.clusterScope : holds(rule.namespaces, namespace))
  );
}

function matchesPath(rule: PathRule, { verb, path }: PathTarget): boolean {
  return (
    holds(rule.verbs, verb) &&
    (holds(rule.paths, path) || rule.prefixes.some(prefix => path.startsWith(prefix)))
  );
}

function holds(values: ReadonlySet<string>, value: string): boolean {
  return values.has(value) || values.has('*');
}
