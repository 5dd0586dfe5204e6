import type { TokenReviewService } from '@binnacle/proto';
import { StatusError, unauthorized } from '@binnacle/status-errors';
import type { AuthenticationResult, GatewayMetrics } from '../metrics/gateway-metrics.ts';
import type { User } from '../request/api-request.ts';
import type { Exchange, Step } from '../request/exchange.ts';
import { anonymousUser } from '../request/users.ts';
import { isUpgraded } from '../request/web-socket-request.ts';
import { createProxyHeaders, type ProxyHeaders, type ProxySettings } from './authenticating-proxy.ts';
import { authorizationOf, bearerTokenOf, bearerTokenUser } from './bearer-token.ts';
import { type ClientAuthorities, clientCertificateVerdict } from './client-certificate.ts';
import { protocolTokenOf } from './protocol-token.ts';
import { type ReviewToken, shareReviews } from './share-reviews.ts';

/** What authentication works with. */
interface AuthenticationOptions {
  readonly tokenReview: TokenReviewService;
  /** Whether requests without credentials go on as `system:anonymous`. */
  readonly anonymousAuth: boolean;
  /** The authorities of client certificates at the moment. */
  readonly authorities: () => ClientAuthorities;
  readonly proxies: ProxySettings;
  readonly metrics: GatewayMetrics;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

interface Means extends AuthenticationOptions {
  readonly reviewToken: ReviewToken;
  readonly proxyHeaders: ProxyHeaders;
}

/**
 * Finds out who makes the request: an authenticating proxy's headers first, then a client certificate, then a bearer token
 * (of a WebSocket also among its protocols), then anonymous (spec 2). The first that succeeds decides; when none does and a
 * credential was shown, the answer is a 401, never an anonymous request. Headers of a proxy without its certificate are no
 * credential.
 */
export function authenticate(options: AuthenticationOptions): Step {
  const means: Means = {
    ...options,
    reviewToken: shareReviews(options.tokenReview),
    proxyHeaders: createProxyHeaders(options.proxies),
  };
  return async (exchange, next) => {
    exchange.user = await measured(options.metrics, () => findUser(exchange, means));
    options.metrics.authenticated(exchange.user.username);
    await next();
  };
}

async function measured(metrics: GatewayMetrics, find: () => Promise<User>): Promise<User> {
  const start = performance.now();
  let result: AuthenticationResult = 'success';
  try {
    return await find();
  } catch (error) {
    result = error instanceof StatusError && error.code === 401 ? 'failure' : 'error';
    throw error;
  } finally {
    metrics.attempted(result, (performance.now() - start) / 1000);
  }
}

async function findUser(exchange: Exchange, means: Means): Promise<User> {
  const { request } = exchange;
  const named = means.proxyHeaders.take(request);
  // Before any method, for no credential makes up for a request that servers read differently.
  const header = authorizationOf(request.rawHeaders);
  const certified = certifiedUser(exchange, named, means);
  if (typeof certified === 'object') return certified;
  const token = bearerTokenOf(header) ?? (isUpgraded(request) ? protocolTokenOf(request.headers) : undefined);
  if (token !== undefined) {
    const answer = means.reviewToken(token, exchange.call);
    const { user, auditAnnotations } = await bearerTokenUser(answer);
    for (const [key, value] of Object.entries(auditAnnotations)) exchange.notes.annotations.set(key, value);
    exchange.credential = { kind: 'token', token, username: user.username, uid: user.uid };
    return user;
  }
  if (certified === 'untrusted' || !means.anonymousAuth) throw unauthorized();
  return anonymousUser;
}

/**
 * The user that a proxy names, or else the one that the client certificate names. A certificate that has expired on an open
 * connection is untrusted.
 */
function certifiedUser(
  exchange: Exchange,
  named: User | undefined,
  means: Means,
): User | 'none' | 'untrusted' {
  const { clock, proxyHeaders } = means;
  const verdict = clientCertificateVerdict(exchange.request.socket, {
    authorities: means.authorities(),
    clock,
  });
  if (typeof verdict !== 'object') return verdict;
  const { user, proxy } = verdict;
  const now = clock();
  if (named && proxy && now < proxy.expiresAt && proxyHeaders.isAllowed(proxy.commonName)) {
    exchange.credential = { kind: 'certificate', expiresAt: proxy.expiresAt };
    return named;
  }
  if (user === undefined || user.expiresAt <= now) return 'untrusted';
  exchange.credential = { kind: 'certificate', expiresAt: user.expiresAt };
  return user.user;
}
