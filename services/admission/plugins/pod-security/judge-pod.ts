import { auditKeys } from '@binnacle/api-names';
import type { Review } from '../../chain/review.ts';
import { forbidWrite } from '../pods/pod-review.ts';
import type { CheckedPod, Finding } from './checks/check.ts';
import { formatLevelVersion, type LevelVersion } from './checks/level-version.ts';
import type { PodSecurityConfiguration } from './configuration.ts';
import { evaluatePod, findingsText } from './evaluate-pod.ts';
import type { ReadPolicy } from './policy.ts';

/** Notes something for the audit log under the name of the plugin. */
export function noteForAudit({ auditAnnotations }: Review, key: string, text: string): void {
  auditAnnotations[auditKeys.podSecurity + key] = text;
}

/** Notes why a write is not looked at. */
export function noteExemption(review: Review, dimension: 'namespace' | 'user' | 'runtimeClass'): void {
  noteForAudit(review, 'exempt', dimension);
}

/**
 * Judges a pod, or the template of pods, by the policy of its namespace: notes for the audit log, and warns of, what the
 * levels of these modes do not permit. A pod that the enforced level does not permit is refused; a template is not.
 */
export function judgePod(
  review: Review,
  pod: CheckedPod,
  judgement: {
    readonly read: ReadPolicy;
    readonly configuration: PodSecurityConfiguration;
    readonly enforces: boolean;
  },
): void {
  const { read, configuration, enforces } = judgement;
  const { enforce, audit, warn } = read.policy;
  if (configuration.exemptRuntimeClasses.has(pod.spec.runtimeClassName ?? '')) {
    noteExemption(review, 'runtimeClass');
    return;
  }
  if (read.errors.length > 0)
    noteForAudit(
      review,
      'error',
      `labels of the namespace: ${read.errors.map(({ field }) => field).join(', ')}`,
    );
  const audited = evaluatePod(audit, pod);
  if (audited.length > 0)
    noteForAudit(review, 'audit-violations', `would violate ${formatFindings(audit, audited)}`);
  if (enforces) {
    noteForAudit(review, 'enforce-policy', formatLevelVersion(enforce));
    const enforced = evaluatePod(enforce, pod);
    if (enforced.length > 0) throw forbidWrite(review, `violates ${formatFindings(enforce, enforced)}`);
  }
  const warned = evaluatePod(warn, pod);
  if (warned.length > 0) review.warnings.push(`would violate ${formatFindings(warn, warned)}`);
}

function formatFindings(levelVersion: LevelVersion, findings: readonly Finding[]): string {
  return `PodSecurity "${formatLevelVersion(levelVersion)}": ${findingsText(findings)}`;
}
