import type { AccessDemand } from '@binnacle/proto';
import { forbidden } from '@binnacle/status-errors';
import { isAllowed } from '../../authorization/authorizer.ts';
import type { ApiRequest } from '../../request/api-request.ts';
import type { GuardServices } from './write-guard.ts';

/**
 * Throws Forbidden unless the user is permitted, for each demand of admission, one of the accesses that it names: what an
 * object refers to can ask for more than the request itself does.
 */
export async function assertAccessDemands(
  { definition, user, call }: ApiRequest,
  { authorizer }: Pick<GuardServices, 'authorizer'>,
  { demands, name }: { readonly demands: readonly AccessDemand[]; readonly name: string },
): Promise<void> {
  for (const { anyOf, refusal } of demands) {
    if (!(await isOneAllowed(anyOf))) throw forbidden(definition, name, refusal);
  }

  async function isOneAllowed(accesses: AccessDemand['anyOf']): Promise<boolean> {
    for (const access of accesses)
      if (await isAllowed(authorizer, { user, access: { kind: 'resource', ...access }, call })) return true;
    return false;
  }
}
