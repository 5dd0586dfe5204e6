import { understood } from '@binnacle/api-names';
import { equalJson } from '@binnacle/api-objects';
import type { Container, Pod } from '@binnacle/api-types/core/v1';
import type { Review } from '../../chain/review.ts';
import type { ObjectReader } from '../../sources/objects.ts';
import { annotationValues } from '../pods/annotations.ts';
import { currentNamespaceMetadata, namespaceMetadata } from '../pods/namespace-metadata.ts';
import { podUnderReview } from '../pods/pod-review.ts';
import { formatLevelVersion } from './checks/level-version.ts';
import type { PodSecurityConfiguration } from './configuration.ts';
import { evaluatePod } from './evaluate-pod.ts';
import { judgePod, noteExemption, noteForAudit } from './judge-pod.ts';
import { podTemplateUnderReview } from './pod-template.ts';
import { isPrivileged, policyFrom, type ReadPolicy } from './policy.ts';

/** The sources of the pod check. */
export interface PodSecuritySources {
  readonly namespaces: ObjectReader;
  readonly pods: ObjectReader;
  readonly configuration: PodSecurityConfiguration;
}

/** Judges a pod that is created, changed significantly, or given an ephemeral container. */
export async function validatePod(review: Review, sources: PodSecuritySources): Promise<void> {
  const reviewed = podUnderReview(review) ?? podUnderReview(review, 'ephemeralcontainers');
  if (reviewed === undefined) return;
  const { configuration } = sources;
  if (isExempt(review, configuration)) return;
  let read = await readPolicy(review, sources);
  if (read.errors.length === 0 && isPrivileged(read.policy)) {
    noteForAudit(review, 'enforce-policy', formatLevelVersion(read.policy.enforce));
    return;
  }
  const { pod, spec } = reviewed;
  if (review.oldObject !== undefined && !isSignificantUpdate(pod, review.oldObject)) return;
  const checked = { metadata: pod.metadata, spec };
  if (evaluatePod(read.policy.enforce, checked).length > 0) {
    const { labels = {} } = await currentNamespaceMetadata(review, sources.namespaces);
    read = policyFrom(labels, configuration.defaults);
  }
  judgePod(review, checked, { read, configuration, enforces: true });
}

/** Judges the pod template of a workload, with warnings and audit annotations alone. */
export async function validateWorkload(review: Review, sources: PodSecuritySources): Promise<void> {
  const template = podTemplateUnderReview(review);
  if (template === undefined) return;
  const { configuration } = sources;
  if (isExempt(review, configuration)) return;
  const read = await readPolicy(review, sources);
  const { audit, warn } = read.policy;
  if (read.errors.length === 0 && audit.level === 'privileged' && warn.level === 'privileged') return;
  judgePod(review, template, { read, configuration, enforces: false });
}

function isExempt(review: Review, configuration: PodSecurityConfiguration): boolean {
  if (configuration.exemptNamespaces.has(review.namespace)) {
    noteExemption(review, 'namespace');
    return true;
  }
  if (!configuration.exemptUsernames.has(review.user.username)) return false;
  noteExemption(review, 'user');
  return true;
}

async function readPolicy(review: Review, sources: PodSecuritySources): Promise<ReadPolicy> {
  const { labels = {} } = await namespaceMetadata(review, sources.namespaces);
  return policyFrom(labels, sources.configuration.defaults);
}

/** Prefixes of the annotations that confine a container, each under every accepted name. */
const confinements = [understood.annotations.seccompContainer, understood.annotations.appArmor];

/** Whether an update of a pod changes anything that a level restricts. */
export function isSignificantUpdate(pod: Pod, old: Pod): boolean {
  const { spec = {} } = pod;
  const { spec: oldSpec = {} } = old;
  const haveFixedLength = ['containers', 'initContainers'] as const;
  if (haveFixedLength.some(list => (spec[list] ?? []).length !== (oldSpec[list] ?? []).length)) return true;
  return ([...haveFixedLength, 'ephemeralContainers'] as const).some(list => {
    const before = new Map<string, Container>();
    for (const container of oldSpec[list] ?? []) before.set(container.name ?? '', container);
    return (spec[list] ?? []).some(container =>
      isOtherContainer({ container, pod }, { container: before.get(container.name ?? ''), pod: old }),
    );
  });
}

function isOtherContainer(
  now: { readonly container: Container; readonly pod: Pod },
  before: { readonly container: Container | undefined; readonly pod: Pod },
): boolean {
  if (now.container.image !== before.container?.image) return true;
  const { name = '' } = now.container;
  return confinements.some(prefixes => {
    const keys = prefixes.map(prefix => prefix + name);
    const readAnnotations = (pod: Pod) => annotationValues(pod.metadata, keys);
    return !equalJson(readAnnotations(now.pod), readAnnotations(before.pod));
  });
}
