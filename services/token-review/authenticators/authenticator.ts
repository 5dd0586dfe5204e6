import type { CallContext, UserInfo } from '@binnacle/proto';

/** The decision of an authenticator on a token. */
export type Decision =
  | {
      /** The token is this user's. */
      readonly kind: 'authenticated';
      readonly user: UserInfo;
      /** Those of the token that were asked for. */
      readonly audiences: readonly string[];
      /** For the audit event of each request with the token. */
      readonly auditAnnotations?: Readonly<Record<string, string>>;
    }
  /** The token is of a form that this authenticator decides on, and it is not good. */
  | { readonly kind: 'rejected'; readonly error: string }
  /** The token is of another form: ask the next authenticator. */
  | { readonly kind: 'unknown' }
  /** The token may be good: what would decide on it, such as a webhook, is down. Ask the next authenticator. */
  | { readonly kind: 'undecided' };

/** For how long decisions of an authenticator are kept, in milliseconds. */
export interface CacheTtl {
  readonly success: number;
  readonly failure: number;
}

/** One way to tell whose a bearer token is (spec 2, "Methods"). */
export interface Authenticator {
  readonly name: string;
  /** For how long its decisions are kept; undefined where asking again costs less than the cache. */
  readonly cacheTtl: CacheTtl | undefined;
  /**
   * Decides on a token. Throws a StatusError only when a token of its form cannot be decided on now, because something that it
   * needs is down, and requests are to be answered with 503; remote authenticators answer `undecided` then, which is a 401. What is
   * unknown or undecided is never kept.
   */
  authenticate(token: string, audiences: readonly string[], call: CallContext): Promise<Decision>;
}
