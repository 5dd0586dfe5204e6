import type { Authorizer } from './authorizer.ts';

/** An authorizer over objects as the watch cache has them. */
export interface FollowingAuthorizer extends Authorizer, Disposable {
  /** Begins to follow the cache, which must be ready; until it has followed all, the authorizer throws ServiceUnavailable. */
  start(): Promise<void>;
  /** Whether it follows the cache. */
  readonly isStarted: boolean;
}
