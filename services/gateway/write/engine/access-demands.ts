import type { AccessDemand } from '@binnacle/proto';
import { forbidden } from '@binnacle/status-errors';
import type { ApiRequest } from '../../request/api-request.ts';
import type { GuardServices } from './write-guard.ts';

/**
 * Throws Forbidden unless the user is permitted, for each demand of admission, one of the accesses that it names: what an
 * object refers to can ask for more than the request itself does.
 */
export function assertAccessDemands(
  { definition, user }: ApiRequest,
  { authorizer }: Pick<GuardServices, 'authorizer'>,
  { demands, name }: { readonly demands: readonly AccessDemand[]; readonly name: string },
): void {
  for (const { anyOf, refusal } of demands) {
    const permitted = anyOf.some(
      access => authorizer.authorize(user, { kind: 'resource', ...access }).allowed,
    );
    if (!permitted) throw forbidden(definition, name, refusal);
  }
}
