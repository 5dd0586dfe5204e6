import { auditKeys } from '@binnacle/api-names';
import type { Review } from '../../chain/review.ts';
import { forbidWrite } from '../pods/pod-review.ts';
import type { CheckedPod, Finding } from './checks/check.ts';
import { formatLevelVersion, type LevelVersion } from './checks/level-version.ts';
import type { PodSecurityConfiguration } from './configuration.ts';
import { evaluatePod, findingsText } from './evaluate-pod.ts';
import type { ReadPolicy } from './policy.ts';

/** Adds an audit annotation under the name of the plugin. */
export function noteForAudit({ auditAnnotations }: Review, key: string, text: string): void {
  auditAnnotations[auditKeys.podSecurity + key] = text;
}

/** Adds the audit annotation of an exemption. */
export function noteExemption(review: Review, dimension: 'namespace' | 'user' | 'runtimeClass'): void {
  noteForAudit(review, 'exempt', dimension);
}

/**
 * Judges a pod or pod template by the policy of its namespace: adds audit annotations and warnings for violations of the levels of
 * these modes. Refuses a pod, but not a template, that violates the enforced level.
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
