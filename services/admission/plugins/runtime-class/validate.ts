import type { Review } from '../../chain/review.ts';
import { forbidWrite, podUnderCreation } from '../pods/pod-review.ts';
import { isSameOverhead, type RuntimeClasses } from './runtime-classes.ts';

/** Asserts that the overhead of a new pod is that of its class. */
export async function assertOverhead(review: Review, classes: RuntimeClasses): Promise<void> {
  const created = podUnderCreation(review);
  if (created === undefined) return;
  const overhead = created.spec.overhead;
  const found = await classes.of(review, created.spec);
  if (found?.overhead === undefined) {
    if (overhead !== undefined)
      throw forbidWrite(review, 'the pod sets an overhead, and has no RuntimeClass that has one');
    return;
  }
  if (overhead === undefined || !isSameOverhead(overhead, found.overhead))
    throw forbidWrite(review, "the pod's overhead is not that of its RuntimeClass");
}
