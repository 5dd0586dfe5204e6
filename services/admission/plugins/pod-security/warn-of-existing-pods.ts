import type { Pod } from '@binnacle/api-types/core/v1';
import { createCallContext } from '@binnacle/rpc';
import type { Review } from '../../chain/review.ts';
import type { SeenObject } from '../../sources/objects.ts';
import { formatLevelVersion, type LevelVersion } from './checks/level-version.ts';
import type { PodSecurityConfiguration } from './configuration.ts';
import { evaluatePod } from './evaluate-pod.ts';
import type { PodSecuritySources } from './validate-pod.ts';

/** The longest that a write waits for the warnings about existing pods. */
const timeoutMs = 1_000;
const mostPods = 3_000;

/** Warns of the existing pods of a namespace that violate a level, grouped by their findings. */
export async function warnOfExistingPods(
  review: Review,
  enforce: LevelVersion,
  { pods, configuration }: PodSecuritySources,
): Promise<void> {
  const { name, warnings } = review;
  const found = await podsIn(review, pods);
  if (found === undefined) {
    warnings.push(`the existing pods of namespace ${JSON.stringify(name)} could not be checked`);
    return;
  }
  const groups = groupViolations(found.slice(0, mostPods), enforce, configuration);
  if (groups.size > 0)
    warnings.push(
      `existing pods in namespace ${JSON.stringify(name)} violate the new PodSecurity enforce level ${JSON.stringify(formatLevelVersion(enforce))}`,
    );
  for (const [text, names] of groups) {
    const [first = '', ...others] = names;
    warnings.push(`${first}${othersText(others.length)}: ${text}`);
  }
  if (found.length > mostPods)
    warnings.push(`only the first ${mostPods} of ${found.length} pods were checked`);
}

async function podsIn(
  { name, call: parent }: Review,
  pods: PodSecuritySources['pods'],
): Promise<readonly SeenObject[] | undefined> {
  using call = createCallContext({ timeoutMs, parent });
  try {
    return await pods.list(name, call);
  } catch (thrown) {
    if (parent.signal.aborted) throw thrown;
    return undefined;
  }
}

function groupViolations(
  pods: readonly SeenObject[],
  enforce: LevelVersion,
  { exemptRuntimeClasses }: PodSecurityConfiguration,
): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const seen of pods) {
    const { metadata, spec = {} }: Pod = seen.parse();
    if (exemptRuntimeClasses.has(spec.runtimeClassName ?? '')) continue;
    const findings = evaluatePod(enforce, { metadata, spec });
    if (findings.length === 0) continue;
    const text = findings.map(({ rule }) => rule).join(', ');
    const names = groups.get(text);
    if (names === undefined) groups.set(text, [seen.name]);
    else names.push(seen.name);
  }
  return groups;
}

function othersText(count: number): string {
  if (count === 0) return '';
  return count === 1 ? ' (and 1 other pod)' : ` (and ${count} other pods)`;
}
