import type { PodSpec } from '@binnacle/api-types/core/v1';
import type { Review } from '../../chain/review.ts';
import { forbidWrite, podUnderCreation, podUnderReview, type ReviewedPod } from '../pods/pod-review.ts';
import type { AccountSource, AccountView } from './account-source.ts';
import { forbiddenInMirrorPod, isMirrorPod } from './mirror-pod.ts';
import { accountFor } from './mutate.ts';
import { containerSecrets, environmentSecrets, mountedSecrets, pullSecrets } from './secret-references.ts';

/** Asserts that a pod has an account, a mirror pod no secrets, and other pods only secrets that the account permits. */
export async function assertAccountRules(review: Review, accounts: AccountSource): Promise<void> {
  const created = podUnderCreation(review);
  if (created !== undefined) return assertNewPod(review, created, accounts);
  const extended = review.operation === 'UPDATE' && podUnderReview(review, 'ephemeralcontainers');
  if (extended) await assertEphemeralContainers(review, extended.spec, accounts);
}

async function assertNewPod(
  review: Review,
  { pod, spec }: ReviewedPod,
  accounts: AccountSource,
): Promise<void> {
  if (isMirrorPod(pod)) {
    const found = forbiddenInMirrorPod(spec);
    if (found !== undefined) throw forbidWrite(review, `a mirror pod may not refer to ${found}`);
    return;
  }
  const name = spec.serviceAccountName ?? '';
  if (name === '') throw forbidWrite(review, 'the pod has no service account');
  const account = await accountFor(review, name, accounts);
  if (!account.enforcesSecrets) return;
  assertListed(review, [...mountedSecrets(spec), ...containerSecrets(spec)], account);
  const pulled = pullSecrets(spec).find(secret => !account.imagePullSecrets.includes(secret));
  if (pulled !== undefined)
    throw forbidWrite(review, `service account ${name} does not list ${pulled} among its imagePullSecrets`);
}

async function assertEphemeralContainers(
  review: Review,
  spec: PodSpec,
  accounts: AccountSource,
): Promise<void> {
  const name = spec.serviceAccountName ?? '';
  // Only mirror pods have no account.
  if (name === '') return;
  const secrets = (spec.ephemeralContainers ?? []).flatMap(environmentSecrets);
  if (secrets.length === 0) return;
  const account = await accountFor(review, name, accounts);
  if (account.enforcesSecrets) assertListed(review, secrets, account);
}

function assertListed(review: Review, secrets: readonly string[], { name, secrets: listed }: AccountView) {
  const other = secrets.find(secret => !listed.includes(secret));
  if (other !== undefined)
    throw forbidWrite(review, `service account ${name} does not list ${other} among its secrets`);
}
