import type { Authorizer } from '../authorization/authorizer.ts';
import { denial } from '../authorization/denial.ts';
import type { Step } from '../pipeline/exchange.ts';
import { impersonationFrom } from './impersonated-user.ts';

/** Lets a user who may do so act as another one (`Impersonate-User` and its companions). */
export function impersonate(authorizer: Authorizer): Step {
  return async (exchange, next) => {
    const impersonation = impersonationFrom(exchange.request.headersDistinct);
    if (impersonation !== undefined) {
      for (const access of impersonation.required) {
        if (!authorizer.authorize(exchange.user, access).allowed) throw denial(exchange.user, access);
      }
      exchange.user = impersonation.user;
    }
    await next();
  };
}
