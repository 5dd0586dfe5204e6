import type { CallContext, UserInfo } from '@binnacle/proto';

/** The decision of an authenticator on a token. */
export type Decision =
  | {
      /** The token belongs to this user. */
      readonly kind: 'authenticated';
      readonly user: UserInfo;
      /** The requested audiences that the token has. */
      readonly audiences: readonly string[];
      /** Annotations for the audit event of each request with the token. */
      readonly auditAnnotations?: Readonly<Record<string, string>>;
    }
  /** The token is of a form that this authenticator decides on, and it is not valid. */
  | { readonly kind: 'rejected'; readonly error: string }
  /** The token is of another form: the next authenticator decides. */
  | { readonly kind: 'unknown' }
  /** The token may be valid, but a dependency such as a webhook is down: the next authenticator decides. */
  | { readonly kind: 'undecided' };

/** Milliseconds for which decisions of an authenticator are cached. */
export interface CacheTtl {
  readonly success: number;
  readonly failure: number;
}

/** One method of authenticating bearer tokens (spec 2, "Methods"). */
export interface Authenticator {
  readonly name: string;
  /** Lifetime of its cached decisions. */
  readonly cacheTtl: CacheTtl;
  /** Whether a decision costs less than a look-up in the caches of this service: only gateways cache it. Default: false. */
  readonly isCheap?: boolean;
  /**
   * Decides on a token. Throws a StatusError only when a token of its form cannot be decided on because a dependency is down, and
   * requests are to be answered with 503; remote authenticators return `undecided` in this case, which is a 401. Unknown and undecided
   * are never cached.
   */
  authenticate(token: string, audiences: readonly string[], call: CallContext): Promise<Decision>;
}
