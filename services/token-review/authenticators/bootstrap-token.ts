import { bootstrapTokenNamespace, bootstrapTokenPrefix } from '@binnacle/api-types';
import type { Secret } from '@binnacle/api-types/core/v1';
import type { Storage } from '@binnacle/storage-contract';
import type { Logger } from '@binnacle/telemetry';
import type { Authenticator, CacheTtl, Decision } from './authenticator.ts';
import { verdictOnBootstrapToken } from './bootstrap-token-verdict.ts';
import { readStoredObject } from './read-stored-object.ts';

/** Options of the authenticator of bootstrap tokens. */
interface BootstrapTokenAuthenticatorOptions {
  /** Store of the Secrets. */
  readonly storage: Storage;
  /** Audiences of the API server: bootstrap tokens are for it alone. */
  readonly apiAudiences: readonly string[];
  readonly cacheTtl: CacheTtl;
  readonly clock: () => number;
  /** Log of the reasons of refusals, which callers do not get. */
  readonly log: Logger;
}

const tokenForm = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;

/**
 * Creates the authenticator of bootstrap tokens (spec 2, "Bootstrap token"). A token is valid according to the Secret
 * `bootstrap-token-<id>`; the answer to an invalid one does not show the reason.
 */
export function createBootstrapTokenAuthenticator(
  options: BootstrapTokenAuthenticatorOptions,
): Authenticator {
  const { storage, apiAudiences, clock, log } = options;
  return {
    name: 'bootstrap-token',
    cacheTtl: options.cacheTtl,
    async authenticate(token, audiences, call): Promise<Decision> {
      const [, id, secret] = tokenForm.exec(token) ?? [];
      if (id === undefined || secret === undefined) return { kind: 'unknown' };
      const name = `${bootstrapTokenPrefix}${id}`;
      const shared = audiences.filter(audience => apiAudiences.includes(audience));
      const stored: Secret | undefined = await readStoredObject(
        storage,
        { resource: 'secrets', namespace: bootstrapTokenNamespace, name },
        call,
      );
      const verdict = verdictOnBootstrapToken(stored, { id, secret, now: clock() });
      if (verdict.kind === 'refused' || shared.length === 0) {
        const reason = verdict.kind === 'refused' ? verdict.reason : 'the token is for the API server only';
        log.debug('bootstrap token refused', { secret: name, reason });
        return { kind: 'rejected', error: 'invalid bearer token' };
      }
      const user = { username: `system:bootstrap:${id}`, uid: '', groups: verdict.groups, extra: {} };
      return { kind: 'authenticated', user, audiences: shared };
    },
  };
}
