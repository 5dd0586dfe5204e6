import { type Authorizer, isAllowed } from '../authorization/authorizer.ts';
import { denial } from '../authorization/denial.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { namespaceOf } from '../request/names.ts';

/**
 * Throws Forbidden unless the user may create the object of the request: a request that was authorized as an update or a
 * patch asks this before it creates what it did not find.
 */
export async function authorizeCreate(
  request: ApiRequest,
  { authorizer }: { readonly authorizer: Authorizer },
): Promise<void> {
  const { definition, info, user, call } = request;
  const access = {
    kind: 'resource',
    verb: 'create',
    group: definition.group,
    resource: definition.resource,
    subresource: '',
    namespace: namespaceOf(request),
    name: info.name,
  } as const;
  if (!(await isAllowed(authorizer, { user, access, call })))
    throw denial(user, { ...access, group: info.group });
}
