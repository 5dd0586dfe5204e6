import type { Container, Pod } from '@binnacle/api-types/core/v1';
import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import { objectToChange, type Review } from '../../chain/review.ts';
import { listEveryContainer } from '../pods/containers.ts';
import { forbidWrite, podUnderReview } from '../pods/pod-review.ts';

/** AlwaysPullImages, off by default: a pod can run an image only with permission to pull it, every time. */
export const alwaysPullImages: PluginRegistration = {
  name: 'AlwaysPullImages',
  byDefault: false,
  concerns: ['/pods'],
  create: () => ({
    name: 'AlwaysPullImages',
    mutate(review) {
      if (containersWithoutAlways(review).length === 0) return 'unchanged';
      objectToChange(review);
      containersWithoutAlways(review).forEach(pullAlways);
      return 'changed';
    },
    validate(review) {
      const [found] = containersWithoutAlways(review);
      if (found !== undefined)
        throw forbidWrite(review, `container ${found.name ?? ''} must have imagePullPolicy Always`);
    },
  }),
};

function pullAlways(container: Container): void {
  container.imagePullPolicy = 'Always';
}

/** Finds the containers of a new pod, or those that get new images, whose policy is not Always. */
function containersWithoutAlways(review: Review): Container[] {
  const reviewed = podUnderReview(review) ?? podUnderReview(review, 'ephemeralcontainers');
  if (reviewed === undefined) return [];
  const containers = listEveryContainer(reviewed.spec);
  const { spec: old }: Partial<Pod> = review.oldObject ?? {};
  if (old !== undefined && !hasNewImage(containers, listEveryContainer(old))) return [];
  return containers.filter(container => container.imagePullPolicy !== 'Always');
}

function hasNewImage(containers: readonly Container[], before: readonly Container[]): boolean {
  const images = new Set(before.map(({ image }) => image));
  return containers.some(({ image }) => !images.has(image));
}
