import { causeFromFieldError, equalJson, type FieldError } from '@binnacle/api-objects';
import { invalid } from '@binnacle/status-errors';
import type { Review } from '../../chain/review.ts';
import { isStricter, type LevelVersion } from './checks/level-version.ts';
import { policyFrom } from './policy.ts';
import type { PodSecuritySources } from './validate-pod.ts';
import { warnOfExistingPods } from './warn-of-existing-pods.ts';

/** Refuses invalid labels of a namespace, and warns of existing pods that violate a stricter level. */
export async function validateNamespace(review: Review, sources: PodSecuritySources): Promise<void> {
  const { definition, operation, subresource, object, oldObject } = review;
  if (definition.group !== '' || definition.resource !== 'namespaces' || subresource !== '') return;
  if (object === undefined || (operation !== 'CREATE' && operation !== 'UPDATE')) return;
  const { defaults, exemptNamespaces } = sources.configuration;
  const now = policyFrom(object.metadata.labels ?? {}, defaults);
  const name = object.metadata.name ?? '';
  const warnOfExemption = () =>
    review.warnings.push(
      `namespace ${JSON.stringify(name)} is exempt from PodSecurity, so its labels have no effect`,
    );
  if (oldObject === undefined) {
    assertLabels(name, now.errors);
    if (exemptNamespaces.has(name) && hasPolicyLabels(object.metadata.labels)) warnOfExemption();
    return;
  }
  const before = policyFrom(oldObject.metadata.labels ?? {}, defaults);
  if (!isSame(now.errors, before.errors)) assertLabels(name, now.errors);
  if (!isTightened(now.policy.enforce, before.policy.enforce)) return;
  if (exemptNamespaces.has(name)) warnOfExemption();
  else await warnOfExistingPods(review, now.policy.enforce, sources);
}

function assertLabels(name: string, errors: readonly FieldError[]): void {
  if (errors.length > 0)
    throw invalid({ group: '', kind: 'Namespace' }, name, errors.map(causeFromFieldError));
}

function isSame(errors: readonly FieldError[], others: readonly FieldError[]): boolean {
  return equalJson(errors.map(causeText), others.map(causeText));
}

function causeText(error: FieldError): string {
  const { field = '', message = '' } = causeFromFieldError(error);
  return `${field}: ${message}`;
}

function hasPolicyLabels(labels: Readonly<Record<string, string>> = {}): boolean {
  return Object.keys(labels).some(key => /^pod-security\.(?:cluster|kubernetes)\.io\//.test(key));
}

/** Whether pods that the old level permits may violate the new one. */
function isTightened(now: LevelVersion, before: LevelVersion): boolean {
  if (now.level === 'privileged') return false;
  if (now.version === before.version) return isStricter(now.level, before.level);
  return true;
}
