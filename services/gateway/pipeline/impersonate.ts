import { type Authorizer, isAllowed } from '../authorization/authorizer.ts';
import { denial } from '../authorization/denial.ts';
import type { Exchange } from '../request/exchange.ts';
import { removeHeaders } from '../request/remove-headers.ts';
import { type Impersonation, impersonationFrom } from './impersonated-user.ts';

/**
 * Lets a user who may do so act as another one (`Impersonate-User` and the like). Removes the headers, and keeps the request's
 * own user as its impersonator.
 */
export function impersonate(
  exchange: Exchange,
  authorizer: Pick<Authorizer, 'authorize'>,
): void | Promise<void> {
  const headers = removeHeaders(exchange.request, isImpersonating);
  const impersonation = headers && impersonationFrom(headers);
  return impersonation && actAs(exchange, impersonation, authorizer);
}

async function actAs(
  exchange: Exchange,
  impersonation: Impersonation,
  authorizer: Pick<Authorizer, 'authorize'>,
): Promise<void> {
  const { user, call } = exchange;
  for (const access of impersonation.required) {
    if (!(await isAllowed(authorizer, { user, access, call }))) throw denial(user, access);
  }
  exchange.impersonator = user;
  exchange.user = impersonation.user;
}

function isImpersonating(name: string): boolean {
  return name.startsWith('impersonate-');
}
