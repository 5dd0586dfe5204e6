import type { CallContext, UserInfo } from '@binnacle/proto';

/** What an authenticator makes of a token. */
export type Decision =
  /** The token is this user's; `audiences` are those of the token that were asked for. */
  | { readonly kind: 'authenticated'; readonly user: UserInfo; readonly audiences: readonly string[] }
  /** The token is of a form that this authenticator decides on, and it is not good. */
  | { readonly kind: 'rejected'; readonly error: string }
  /** The token is of another form: ask the next authenticator. */
  | { readonly kind: 'unknown' };

/** One way to tell whose a bearer token is (spec 2, "Methods"). */
export interface Authenticator {
  readonly name: string;
  /** Whether decisions may be kept: false where asking again costs less than the cache. */
  readonly cacheable: boolean;
  /** Throws a StatusError only when it cannot decide now, because something it needs is down. */
  authenticate(token: string, audiences: readonly string[], call: CallContext): Promise<Decision>;
}
