import { groups } from '@binnacle/api-names';
import { type AccessPolicy, createAccessPolicy } from '@binnacle/gateway';

/** Who 1,000 bindings of as many roles are to. */
interface MeasuredPolicy {
  readonly name: string;
  readonly policy: AccessPolicy;
}

const roles = 1_000;
const rulesOfRole = 20;
const group = groups.rbac;

/** The service account whose requests are measured, and the resource that the last role alone gives rights on. */
export const measured = { namespace: 'z', name: 'measured', resource: `resource${roles - 1}` };

/** The policies that are worst for a request: bindings to other users, to the user alone, and to a group of the user. */
export function measuredPolicies(): MeasuredPolicy[] {
  const toUser = { kind: 'User', name: `system:serviceaccount:${measured.namespace}:${measured.name}` };
  const toGroup = { kind: 'Group', name: `system:serviceaccounts:${measured.namespace}` };
  return [
    {
      name: 'a binding for each user',
      policy: policyOf(index => (index === roles - 1 ? toUser : { kind: 'User', name: `user${index}` })),
    },
    { name: 'all bindings to one user', policy: policyOf(() => toUser) },
    { name: 'all bindings to one group', policy: policyOf(() => toGroup) },
  ];
}

function policyOf(subjectOf: (index: number) => { readonly kind: string; readonly name: string }) {
  const policy = createAccessPolicy();
  for (let index = 0; index < roles; index++) {
    const typeMeta = { apiVersion: `${group}/v1` };
    const rules = Array.from({ length: rulesOfRole }, (_, rule) => ({
      verbs: ['get', 'list', 'watch'],
      apiGroups: ['apps'],
      resources: [rule === rulesOfRole - 1 ? `resource${index}` : `other${index}-${rule}`],
    }));
    policy.put('ClusterRole', {
      ...typeMeta,
      kind: 'ClusterRole',
      metadata: { name: `role${index}` },
      rules,
    });
    policy.put('ClusterRoleBinding', {
      ...typeMeta,
      kind: 'ClusterRoleBinding',
      metadata: { name: `binding${index}` },
      roleRef: { apiGroup: group, kind: 'ClusterRole', name: `role${index}` },
      subjects: [{ apiGroup: group, ...subjectOf(index) }],
    });
  }
  return policy;
}
