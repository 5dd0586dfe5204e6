import { copyJson, equalJson } from '@binnacle/api-objects';
import type { PodSpec } from '@binnacle/api-types/core/v1';
import type { Mutation } from '../../chain/plugin.ts';
import type { Review } from '../../chain/review.ts';
import { forbidWrite, newPodToChange } from '../pods/pod-review.ts';
import { mergeTolerations } from '../pods/tolerations.ts';
import { isSameOverhead, type RuntimeClasses, type RuntimeClassView } from './runtime-classes.ts';

/** Copies overhead, node selector and tolerations of its RuntimeClass into a new pod; refuses a pod that contradicts them. */
export async function completeFromRuntimeClass(review: Review, classes: RuntimeClasses): Promise<Mutation> {
  const created = newPodToChange(review);
  if (created === undefined) return 'unchanged';
  const found = await classes.of(review, created.spec);
  if (found === undefined) return 'unchanged';
  const before = copyJson(created.spec);
  takeOverhead(review, created.spec, found);
  takeScheduling(review, created.spec, found);
  return equalJson(before, created.spec) ? 'unchanged' : 'changed';
}

function takeOverhead(review: Review, spec: PodSpec, { overhead }: RuntimeClassView): void {
  if (overhead === undefined) return;
  const own = spec.overhead;
  if (own !== undefined && !isSameOverhead(own, overhead))
    throw forbidWrite(review, "the pod's overhead is not that of its RuntimeClass");
  spec.overhead = copyJson(overhead);
}

function takeScheduling(review: Review, spec: PodSpec, { nodeSelector, tolerations }: RuntimeClassView) {
  const own = spec.nodeSelector ?? {};
  for (const [key, value] of Object.entries(nodeSelector))
    if (Object.hasOwn(own, key) && own[key] !== value)
      throw forbidWrite(
        review,
        `the pod wants nodes with ${key}=${own[key]}, its RuntimeClass those with ${key}=${value}`,
      );
  if (Object.keys(nodeSelector).length > 0) spec.nodeSelector = { ...own, ...nodeSelector };
  if (tolerations.length > 0)
    spec.tolerations = mergeTolerations(spec.tolerations ?? [], tolerations).map(copyJson);
}
