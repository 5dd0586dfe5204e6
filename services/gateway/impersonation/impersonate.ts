import type { IncomingHttpHeaders } from 'node:http';
import { type Authorizer, isAllowed } from '../authorization/authorizer.ts';
import { denial } from '../authorization/denial.ts';
import type { Step } from '../request/exchange.ts';
import { impersonationFrom } from './impersonated-user.ts';

/** Lets a user who may do so act as another one (`Impersonate-User` and its companions). */
export function impersonate(authorizer: Authorizer): Step {
  return async (exchange, next) => {
    const { request, user, call } = exchange;
    const impersonation = asksToImpersonate(request.headers)
      ? impersonationFrom(request.headersDistinct)
      : undefined;
    if (impersonation !== undefined) {
      for (const access of impersonation.required) {
        if (!(await isAllowed(authorizer, { user, access, call }))) throw denial(user, access);
      }
      exchange.user = impersonation.user;
    }
    await next();
  };
}

/** Few requests do: for the others the values of every header need not be split. */
function asksToImpersonate(headers: IncomingHttpHeaders): boolean {
  for (const name in headers) if (name.startsWith('impersonate-')) return true;
  return false;
}
