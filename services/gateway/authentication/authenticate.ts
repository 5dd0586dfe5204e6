import type { TokenReviewService } from '@binnacle/proto';
import { StatusError, unauthorized } from '@binnacle/status-errors';
import type { GatewayMetrics } from '../metrics/gateway-metrics.ts';
import type { User } from '../request/api-request.ts';
import type { Exchange } from '../request/exchange.ts';
import { anonymousUser } from '../request/users.ts';
import { isUpgraded } from '../request/web-socket-request.ts';
import { allowsEverything } from '../settings/authorization-flags.ts';
import type { GatewaySettings } from '../settings/gateway-settings.ts';
import { AcceptedTokens } from './accepted-tokens.ts';
import { createProxyHeaders, type ProxyHeaders, type ProxySettings } from './authenticating-proxy.ts';
import { type AcceptedToken, findAuthorization, parseBearerToken } from './bearer-token.ts';
import { type ClientAuthorities, clientCertificateVerdict } from './client-certificate.ts';
import { readProtocolToken } from './protocol-token.ts';

/** Authenticates a request: returns its user. Throws Unauthorized, and ServiceUnavailable when a token cannot be checked. */
export type Authenticate = (exchange: Exchange) => User | Promise<User>;

/** Options of authentication. */
interface AuthenticationOptions {
  readonly tokenReview: TokenReviewService;
  /** Whether requests without credentials go on as `system:anonymous`. */
  readonly anonymousAuth: boolean;
  /** Returns the current authorities of client certificates. */
  readonly authorities: () => ClientAuthorities;
  readonly proxies: ProxySettings;
  readonly metrics: GatewayMetrics;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

interface AuthenticationServices extends AuthenticationOptions {
  readonly acceptedTokens: AcceptedTokens;
  readonly proxyHeaders: ProxyHeaders;
}

/**
 * Creates the authenticator of requests. It tries the headers of an authenticating proxy, then the client certificate,
 * then the bearer token (for a WebSocket also among its protocols), then anonymous access (spec 2). The first that
 * succeeds decides; if none does and the request has a credential, the answer is a 401, never an anonymous request.
 * Headers of a proxy without its certificate are not a credential.
 */
export function createAuthenticator(options: AuthenticationOptions): Authenticate {
  const { metrics } = options;
  const services: AuthenticationServices = {
    ...options,
    acceptedTokens: new AcceptedTokens(options),
    proxyHeaders: createProxyHeaders(options.proxies),
  };
  const succeeded = (user: User, start: number): User => {
    metrics.attempted('success', secondsSince(start));
    metrics.authenticated(user.username);
    return user;
  };
  const failed = (error: unknown, start: number): void => {
    const isRefusal = error instanceof StatusError && error.code === 401;
    metrics.attempted(isRefusal ? 'failure' : 'error', secondsSince(start));
  };
  const reviewed = async (finding: Promise<User>, start: number): Promise<User> => {
    let user: User;
    try {
      user = await finding;
    } catch (error) {
      failed(error, start);
      throw error;
    }
    return succeeded(user, start);
  };
  return exchange => {
    const start = performance.now();
    let found: User | Promise<User>;
    try {
      found = findUser(exchange, services);
    } catch (error) {
      failed(error, start);
      throw error;
    }
    return found instanceof Promise ? reviewed(found, start) : succeeded(found, start);
  };
}

function secondsSince(start: number): number {
  return (performance.now() - start) / 1000;
}

function findUser(exchange: Exchange, services: AuthenticationServices): User | Promise<User> {
  const { request } = exchange;
  const named = services.proxyHeaders.take(request);
  // Checked before any method: a request that servers can read in two ways is refused whatever its credentials.
  const header = findAuthorization(request.rawHeaders);
  const certified = certifiedUser(exchange, named, services);
  if (typeof certified === 'object') return certified;
  const token =
    parseBearerToken(header) ?? (isUpgraded(request) ? readProtocolToken(request.headers) : undefined);
  if (token !== undefined) {
    const found = services.acceptedTokens.find(token, exchange.call);
    if (found instanceof Promise) return found.then(each => noteToken(exchange, token, each));
    return noteToken(exchange, token, found);
  }
  if (certified === 'untrusted' || !services.anonymousAuth) throw unauthorized();
  return anonymousUser;
}

/** Records the token and its audit annotations in the exchange; returns the user. */
function noteToken(exchange: Exchange, token: string, { user, auditAnnotations }: AcceptedToken): User {
  for (const [key, value] of Object.entries(auditAnnotations)) exchange.notes.annotations.set(key, value);
  exchange.credential = { kind: 'token', token, username: user.username, uid: user.uid };
  return user;
}

/**
 * The user that a proxy names, or else the one that the client certificate names. A certificate that has expired on an open
 * connection is untrusted.
 */
function certifiedUser(
  exchange: Exchange,
  named: User | undefined,
  services: AuthenticationServices,
): User | 'none' | 'untrusted' {
  const { clock, proxyHeaders } = services;
  const verdict = clientCertificateVerdict(exchange.request.socket, {
    authorities: services.authorities(),
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

/**
 * Whether requests without credentials go on as `system:anonymous`: by default unless the authorization modes let every request
 * through (spec 2, "Anonymous requests").
 */
export function allowsAnonymous({
  anonymousAuth,
  authorizationMode,
}: Pick<GatewaySettings, 'anonymousAuth' | 'authorizationMode'>): boolean {
  return anonymousAuth ?? !allowsEverything(authorizationMode);
}
