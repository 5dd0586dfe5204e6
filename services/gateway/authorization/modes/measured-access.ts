import { canonicalGroup, createTypeRegistry } from '@binnacle/api-types';
import { settingsFrom } from '@binnacle/flags';
import type { TokenReviewService } from '@binnacle/proto';
import type { Metrics } from '@binnacle/telemetry';
import { createAuthenticator } from '../../authentication/authenticate.ts';
import { createGatewayMetrics } from '../../metrics/gateway-metrics.ts';
import { createExchange } from '../../request/exchange.ts';
import type { HttpRequest, HttpResponse } from '../../request/http-messages.ts';
import { parseRequestTarget } from '../../request/parse-request-target.ts';
import { proxyFlags } from '../../settings/authenticating-proxy-flags.ts';
import { authorize } from '../authorize.ts';
import { policyAuthorizer } from '../rbac/create-rbac-authorizer.ts';
import { RbacPolicy } from '../rbac/policy.ts';
import { createUnionAuthorizer } from '../union-authorizer.ts';

/** Roles and bindings to measure with. */
export type AccessPolicy = Pick<RbacPolicy, 'put'>;

/** Options of the check of access. */
interface AccessCheckOptions {
  readonly policy: AccessPolicy;
  readonly tokenReview: TokenReviewService;
  readonly metrics: Metrics;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** Creates roles and bindings that are empty. */
export function createAccessPolicy(): AccessPolicy {
  return new RbacPolicy(canonicalGroup);
}

/**
 * The steps of the pipeline that find out who makes a request and whether they may, apart from the others, to measure what
 * they cost. They run on one request as often as they are called, and throw the Forbidden (403) of one that they refuse.
 */
export function createAccessCheck(options: AccessCheckOptions) {
  const { policy, tokenReview, metrics, clock } = options;
  if (!(policy instanceof RbacPolicy)) throw new Error('the policy must be of createAccessPolicy');
  const gatewayMetrics = createGatewayMetrics(metrics, createTypeRegistry());
  const authenticate = createAuthenticator({
    tokenReview,
    anonymousAuth: false,
    authorities: () => ({ clientCa: undefined, proxyCa: undefined }),
    proxies: settingsFrom(proxyFlags, {}),
    metrics: gatewayMetrics,
    clock,
  });
  const authorizer = createUnionAuthorizer([policyAuthorizer(policy)]);
  return (request: HttpRequest, response: HttpResponse): (() => Promise<void>) => {
    const exchange = createExchange(request, response, clock);
    return async () => {
      exchange.target = parseRequestTarget(exchange, canonicalGroup);
      exchange.user = await authenticate(exchange);
      await authorize(exchange, authorizer);
    };
  };
}
