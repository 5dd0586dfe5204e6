import { type Authorizer, isAllowed } from '../authorization/authorizer.ts';
import { denial } from '../authorization/denial.ts';
import type { Step } from '../request/exchange.ts';
import { removeHeaders } from '../request/remove-headers.ts';
import { impersonationFrom } from './impersonated-user.ts';

/**
 * Lets a user who may do so act as another one (`Impersonate-User` and the like). Removes the headers, and keeps the request's
 * own user as its impersonator.
 */
export function impersonate(authorizer: Pick<Authorizer, 'authorize'>): Step {
  return async (exchange, next) => {
    const { request, user, call } = exchange;
    const headers = removeHeaders(request, isImpersonating);
    const impersonation = headers && impersonationFrom(headers);
    if (impersonation !== undefined) {
      for (const access of impersonation.required) {
        if (!(await isAllowed(authorizer, { user, access, call }))) throw denial(user, access);
      }
      exchange.impersonator = user;
      exchange.user = impersonation.user;
    }
    await next();
  };
}

function isImpersonating(name: string): boolean {
  return name.startsWith('impersonate-');
}
