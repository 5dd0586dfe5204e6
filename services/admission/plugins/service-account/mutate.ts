import { randomSuffix } from '@binnacle/api-objects';
import type { Mutation } from '../../chain/plugin.ts';
import type { Review } from '../../chain/review.ts';
import { forbidWrite, newPodToChange, podUnderCreation } from '../pods/pod-review.ts';
import { type AccountSource, type AccountView, defaultAccountName } from './account-source.ts';
import { isMirrorPod } from './mirror-pod.ts';
import { mountToken } from './mount-token.ts';

/**
 * Completes a new pod from its account: its name, its token, its secrets for pulling images. A mirror pod stays unchanged, for its
 * node deletes a mirror pod that differs from its own.
 */
export async function completeFromAccount(review: Review, accounts: AccountSource): Promise<Mutation> {
  const reviewed = podUnderCreation(review);
  if (reviewed === undefined || isMirrorPod(reviewed.pod)) return 'unchanged';
  const { spec } = newPodToChange(review) ?? reviewed;
  const name = spec.serviceAccountName || defaultAccountName;
  const account = await accountFor(review, name, accounts);
  spec.serviceAccountName = name;
  spec.serviceAccount = name;
  const own = spec.automountServiceAccountToken;
  const mounts = typeof own === 'boolean' ? own : (account.automountToken ?? true);
  if (mounts) mountToken(spec, () => `kube-api-access-${randomSuffix()}`);
  if ((spec.imagePullSecrets ?? []).length === 0 && account.imagePullSecrets.length > 0)
    spec.imagePullSecrets = account.imagePullSecrets.map(secret => ({ name: secret }));
  return 'changed';
}

/** Returns the account of a name in the namespace of a review; refuses the write when there is none. */
export async function accountFor(
  review: Review,
  name: string,
  accounts: AccountSource,
): Promise<AccountView> {
  const { namespace, call } = review;
  const account = await accounts.find(namespace, name, call);
  if (account === undefined) throw forbidWrite(review, `service account ${namespace}/${name} not found`);
  return account;
}
