import { forbidden } from '@binnacle/status-errors';
import type { PolicyRule } from '../authorization/authorizer.ts';
import { describeRules, quoted } from '../authorization/rbac/describe-rules.ts';
import { uncoveredRules } from '../authorization/rbac/rule-coverage.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { namespaceOf, resourceNameOf } from '../request/names.ts';
import type { GuardServices } from '../write/engine/review.ts';

/**
 * Throws Forbidden (403) when rules that the object `name` would grant go beyond what the user holds where
 * the request is about.
 */
export function assertRightsHeld(
  request: ApiRequest,
  { authorizer }: Pick<GuardServices, 'authorizer'>,
  { name, rules }: { readonly name: string; readonly rules: readonly PolicyRule[] },
): void {
  const { definition, user } = request;
  const missing = uncoveredRules(authorizer.boundRules(user, namespaceOf(request)), rules);
  if (missing.length === 0) return;
  const who = `user ${JSON.stringify(user.username)} (groups=${quoted(user.groups)})`;
  const why = `${who} would grant rights that it does not hold:\n${describeRules(missing)}`;
  throw forbidden(resourceNameOf(definition), name, why);
}
