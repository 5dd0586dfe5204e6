import { forbidden, type StatusError } from '@binnacle/status-errors';
import type { User } from '../request/api-request.ts';
import type { ImpersonationAccess } from './impersonated-user.ts';

/** The 403 for a part of an identity that a user may not take on, in the words of kube-apiserver. */
export function impersonationDenial({ username }: User, access: ImpersonationAccess): StatusError {
  const { group, resource, subresource, namespace, name } = access;
  const full = subresource === '' ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
  const what = `cannot impersonate resource ${JSON.stringify(full)} in API group ${JSON.stringify(group)} ${where}`;
  return forbidden({ group, resource }, name, `User ${JSON.stringify(username)} ${what}`);
}
