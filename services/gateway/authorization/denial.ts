import { forbidden, type StatusError } from '@binnacle/status-errors';
import type { User } from '../request/api-request.ts';
import type { Access } from './authorizer.ts';

/** The 403 for an access that nothing allows, in the words of kube-apiserver, with what authorizers gave as their reason. */
export function denial(user: User, access: Access, reason = ''): StatusError {
  const why = reason === '' ? '' : `: ${reason}`;
  const who = `User ${JSON.stringify(user.username)}`;
  if (access.kind === 'path') {
    return forbidden(
      { group: '', resource: '' },
      '',
      `${who} cannot ${access.verb} path ${JSON.stringify(access.path)}${why}`,
    );
  }
  const { verb, group, resource, subresource, namespace, name } = access;
  const full = subresource === '' ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
  const what = `cannot ${verb} resource ${JSON.stringify(full)} in API group ${JSON.stringify(group)} ${where}`;
  return forbidden({ group, resource }, name, `${who} ${what}${why}`);
}
