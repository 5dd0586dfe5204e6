import type { Secret } from '@binnacle/api-types/core/v1';
import { type ApiClient, Informer } from '@binnacle/client';
import { untilAborted } from '@binnacle/event-loop';
import { done } from '../work-queue/reconciled.ts';
import { WorkQueue, type WorkQueueOptions } from '../work-queue/work-queue.ts';
import { forgetTokenSecret, reconcileTokenSecret } from './reconcile-token-secret.ts';
import { SecretsOfTypes } from './secrets-of-types.ts';
import { findNamedAccount, type TokenSecretParts, tokenSecretTypes } from './token-secret.ts';

/** Options of the token controller. */
interface TokenControllerOptions extends TokenSecretParts {
  readonly client: ApiClient;
  readonly onError: (controller: string, key: string, error: unknown) => void;
}

const controller = 'serviceaccount-token';

/**
 * Completes the Secrets that hold the token of an account, and deletes those whose account is gone, until the signal aborts
 * (spec 2, "Service account token").
 */
export async function runTokenController(
  { client, onError, ...parts }: TokenControllerOptions,
  signal: AbortSignal,
): Promise<void> {
  const index = new SecretsByAccount();
  const createQueue = (reconcile: WorkQueueOptions['reconcile']): WorkQueue =>
    new WorkQueue({ concurrency: 4, reconcile, onError: (key, error) => onError(controller, key, error) });
  const followed = {
    client,
    signal,
    onError: (error: unknown) => onError(`${controller}-informer`, '', error),
  };
  const secrets = new SecretsOfTypes({
    ...followed,
    types: tokenSecretTypes,
    onChange: (secret, previous) => {
      index.note(secret, previous);
      completion.add(secretKey(secret.metadata));
    },
    onDelete: secret => {
      index.forget(secret);
      references.add(`${accountKeyFromSecret(secret)}/${secret.metadata.name}`);
    },
  });
  const enqueueSecrets = (account: Parameters<typeof accountKeyFromSecret>[0]): void => {
    for (const secret of index.of(secretKey(account.metadata))) completion.add(secret);
  };
  const path = '/api/v1/serviceaccounts';
  const accounts = new Informer({ ...followed, path, onChange: enqueueSecrets, onDelete: enqueueSecrets });
  const account = (namespace: string, name: string) => accounts.get(namespace, name);
  const completion = createQueue((key, stop) => {
    const [namespace = '', name = ''] = key.split('/');
    return reconcileTokenSecret(secrets.get(namespace, name), { ...parts, client, account }, stop);
  });
  const references = createQueue(async (key, stop) => {
    const [namespace = '', name = '', secret = ''] = key.split('/');
    if (secrets.get(namespace, secret) !== undefined) return done;
    return await forgetTokenSecret({ namespace, account: name, secret }, { client, account }, stop);
  });
  const known = Promise.race([Promise.all([secrets.synced, accounts.synced]), untilAborted(signal)]);
  await Promise.all([
    secrets.run(),
    accounts.run(),
    known.then(() => Promise.all([completion.run(signal), references.run(signal)])),
  ]);
}

/** Index of Secrets by the account that they name; all names are `namespace/name`. */
class SecretsByAccount {
  readonly #secrets = new Map<string, Set<string>>();

  /** Records the account that a Secret names now, in place of its previous one. */
  note(secret: Secret, previous: Secret | undefined): void {
    if (previous) this.forget(previous);
    const account = accountKeyFromSecret(secret);
    const secrets = this.#secrets.get(account) ?? new Set();
    this.#secrets.set(account, secrets.add(secretKey(secret.metadata)));
  }

  /** Removes a deleted Secret. */
  forget(secret: Secret): void {
    const account = accountKeyFromSecret(secret);
    const secrets = this.#secrets.get(account);
    secrets?.delete(secretKey(secret.metadata));
    if (secrets?.size === 0) this.#secrets.delete(account);
  }

  of(account: string): Iterable<string> {
    return this.#secrets.get(account) ?? [];
  }
}

/** Creates the key `namespace/name` of an object. */
function secretKey({ namespace = '', name = '' }: Secret['metadata']): string {
  return `${namespace}/${name}`;
}

/** Creates the key of the account that a Secret names. */
function accountKeyFromSecret(secret: Secret): string {
  return `${secret.metadata.namespace ?? ''}/${findNamedAccount(secret)?.name ?? ''}`;
}
