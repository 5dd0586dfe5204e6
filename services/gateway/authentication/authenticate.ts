import type { TokenReviewService } from '@binnacle/proto';
import { StatusError, unauthorized } from '@binnacle/status-errors';
import type { AuthenticationResult, GatewayMetrics } from '../metrics/gateway-metrics.ts';
import type { User } from '../request/api-request.ts';
import type { Exchange, Step } from '../request/exchange.ts';
import { anonymousUser } from '../request/users.ts';
import { isUpgraded } from '../request/web-socket-request.ts';
import { authorizationOf, bearerTokenOf, bearerTokenUser } from './bearer-token.ts';
import { clientCertificateVerdict } from './client-certificate.ts';
import { protocolTokenOf } from './protocol-token.ts';
import { type ReviewToken, shareReviews } from './share-reviews.ts';

/** What authentication works with. */
interface AuthenticationOptions {
  readonly tokenReview: TokenReviewService;
  /** Whether requests without credentials go on as `system:anonymous`. */
  readonly anonymousAuth: boolean;
  readonly metrics: GatewayMetrics;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/**
 * Finds out who makes the request: a client certificate first, then a bearer token (of a WebSocket also among its
 * protocols), then anonymous (spec 2). The first that succeeds decides; when none does and one was shown, the answer is a
 * 401, never an anonymous request.
 */
export function authenticate(options: AuthenticationOptions): Step {
  const means = { ...options, reviewToken: shareReviews(options.tokenReview) };
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

async function findUser(
  exchange: Exchange,
  options: AuthenticationOptions & { readonly reviewToken: ReviewToken },
): Promise<User> {
  const { request } = exchange;
  // First, for no credential makes up for a request that servers read differently.
  const header = authorizationOf(request.rawHeaders);
  const certified = certifiedUser(exchange, options);
  if (typeof certified === 'object') return certified;
  const token = bearerTokenOf(header) ?? (isUpgraded(request) ? protocolTokenOf(request.headers) : undefined);
  if (token !== undefined) {
    const user = await bearerTokenUser(options.reviewToken(token, exchange.call));
    exchange.credential = { kind: 'token', token, username: user.username, uid: user.uid };
    return user;
  }
  if (certified === 'untrusted' || !options.anonymousAuth) throw unauthorized();
  return anonymousUser;
}

/** The user that a client certificate names; one that has expired on an open connection is as good as untrusted. */
function certifiedUser(
  exchange: Exchange,
  { clock }: Pick<AuthenticationOptions, 'clock'>,
): User | 'none' | 'untrusted' {
  const certified = clientCertificateVerdict(exchange.request.socket);
  if (typeof certified !== 'object') return certified;
  if (certified.credential.expiresAt <= clock()) return 'untrusted';
  exchange.credential = certified.credential;
  return certified.user;
}
