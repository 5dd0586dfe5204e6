import type { Secret, ServiceAccount } from '@binnacle/api-types/core/v1';
import type { ApiClient } from '@binnacle/client';
import { objectPath } from '../discovery/resource-path.ts';
import { deleteUnlessChanged, unlessCode, updateUnlessChanged } from '../requests/settled-writes.ts';
import { done, type Reconciled } from '../work-queue/reconciled.ts';
import {
  completedSecret,
  findNamedAccount,
  type NamedAccount,
  type TokenSecretParts,
} from './token-secret.ts';

/** Options of the look-up of accounts. */
interface AccountOptions {
  readonly client: Pick<ApiClient, 'request'>;
  /** Returns the account from the informer. */
  readonly account: (namespace: string, name: string) => ServiceAccount | undefined;
}

/** Options of maintaining the Secrets of accounts. */
interface TokenSecretOptions extends TokenSecretParts, AccountOptions {}

const secrets = { group: '', version: 'v1', resource: 'secrets' };
const accounts = { group: '', version: 'v1', resource: 'serviceaccounts' };

/**
 * Completes the Secret of an account, or deletes it when the account is gone or another one has its name. Before a deletion the account
 * is read from the API, because it may be newer than the informer's state.
 */
export async function reconcileTokenSecret(
  secret: Secret | undefined,
  options: TokenSecretOptions,
  signal: AbortSignal,
): Promise<Reconciled> {
  const named = secret && findNamedAccount(secret);
  if (secret === undefined || named === undefined || secret.metadata.deletionTimestamp) return done;
  const { namespace = '' } = secret.metadata;
  const { client } = options;
  const known = options.account(namespace, named.name);
  const account = isNamed(known, named)
    ? known
    : await currentAccount(namespace, named.name, { client, signal });
  if (!isNamed(account, named)) {
    await deleteUnlessChanged({ resource: secrets, object: secret }, client, signal);
    return done;
  }
  // Its Secrets are deleted once it is gone.
  if (account.metadata.deletionTimestamp) return done;
  const { uid = '' } = account.metadata;
  const completed = await completedSecret(secret, { ...named, uid }, options);
  if (completed) await updateUnlessChanged({ resource: secrets, object: completed }, client, signal);
  return done;
}

/** Removes a deleted Secret from the list of its account. */
export async function forgetTokenSecret(
  { namespace, account: name, secret }: { namespace: string; account: string; secret: string },
  { client, account: knownAccount }: AccountOptions,
  signal: AbortSignal,
): Promise<Reconciled> {
  const mentions = (account: ServiceAccount | undefined): account is ServiceAccount =>
    account?.secrets?.some(reference => reference.name === secret) === true;
  if (!mentions(knownAccount(namespace, name))) return done;
  const account = await currentAccount(namespace, name, { client, signal });
  if (!mentions(account)) return done;
  const left = account.secrets?.filter(reference => reference.name !== secret) ?? [];
  const body = { ...account, secrets: left };
  const path = objectPath(accounts, namespace, name);
  const written = await unlessCode([404, 409], () => client.request({ method: 'PUT', path, body, signal }));
  return written === undefined ? { kind: 'retry' } : done;
}

function isNamed(account: ServiceAccount | undefined, { uid }: NamedAccount): account is ServiceAccount {
  return account !== undefined && (uid === '' || uid === account.metadata.uid);
}

async function currentAccount(
  namespace: string,
  name: string,
  { client, signal }: { readonly client: Pick<ApiClient, 'request'>; readonly signal: AbortSignal },
): Promise<ServiceAccount | undefined> {
  const path = objectPath(accounts, namespace, name);
  return await unlessCode([404], () => client.request<ServiceAccount>({ method: 'GET', path, signal }));
}
