import type { IncomingHttpHeaders } from 'node:http';
import type { Authorizer } from '../authorization/authorizer.ts';
import { denial } from '../authorization/denial.ts';
import type { Step } from '../request/exchange.ts';
import { impersonationFrom } from './impersonated-user.ts';

/** Lets a user who may do so act as another one (`Impersonate-User` and its companions). */
export function impersonate(authorizer: Authorizer): Step {
  return async (exchange, next) => {
    const { request } = exchange;
    const impersonation = asksToImpersonate(request.headers)
      ? impersonationFrom(request.headersDistinct)
      : undefined;
    if (impersonation !== undefined) {
      for (const access of impersonation.required) {
        if (!authorizer.authorize(exchange.user, access).allowed) throw denial(exchange.user, access);
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
