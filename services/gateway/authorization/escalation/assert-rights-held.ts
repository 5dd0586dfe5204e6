import { forbidden } from '@binnacle/status-errors';
import type { ApiRequest, GatewayServices } from '../../pipeline/api-request.ts';
import { namespaceOf, resourceNameOf } from '../../write/names.ts';
import { describeRules, quoted } from '../rbac/describe-rules.ts';
import type { PolicyRule } from '../rbac/policy-rule.ts';
import { uncoveredRules } from '../rbac/rule-coverage.ts';

/**
 * Throws Forbidden (403) when rules that the object `name` would grant go beyond what the user holds where
 * the request is about.
 */
export function assertRightsHeld(
  request: ApiRequest,
  { authorizer }: Pick<GatewayServices, 'authorizer'>,
  { name, rules }: { readonly name: string; readonly rules: readonly PolicyRule[] },
): void {
  const { definition, user } = request;
  const missing = uncoveredRules(authorizer.boundRules(user, namespaceOf(request)), rules);
  if (missing.length === 0) return;
  const who = `user ${JSON.stringify(user.username)} (groups=${quoted(user.groups)})`;
  const why = `${who} would grant rights that it does not hold:\n${describeRules(missing)}`;
  throw forbidden(resourceNameOf(definition), name, why);
}
