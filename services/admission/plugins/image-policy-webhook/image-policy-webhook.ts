import { auditKeys } from '@binnacle/api-names';
import { equalJson } from '@binnacle/api-objects';
import type { ImageReviewSpec } from '@binnacle/api-types/imagepolicy/v1alpha1';
import { ExpiringCache } from '@binnacle/event-loop';
import { forbidden } from '@binnacle/status-errors';
import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import { isAbout, type Review, reviewedName } from '../../chain/review.ts';
import { askBackend, BackendFailed, type BackendOptions } from './ask-backend.ts';
import { parseImagePolicy } from './image-policy.ts';
import { createImageReviewSpec, type ImageReviewStatus } from './image-review.ts';

/** The most cached verdicts. */
const maxVerdicts = 1024;

/**
 * ImagePolicyWebhook, off by default: asks a backend whether the images of a pod may run (spec 2, "Built-in admission
 * controllers"). Verdicts are cached, for separate times when allowed and when denied.
 */
export const imagePolicyWebhook: PluginRegistration = {
  name: 'ImagePolicyWebhook',
  byDefault: false,
  concerns: ['/pods'],
  configurable: true,
  create({ configuration, files, webhookDispatch, clock, log }) {
    const policy = parseImagePolicy(configuration, files);
    const cache = new ExpiringCache<ImageReviewStatus>({ maxEntries: maxVerdicts, clock });
    const options = { policy, dispatch: webhookDispatch };
    return {
      name: 'ImagePolicyWebhook',
      async validate(review) {
        if (review.object === undefined || !concernsImages(review)) return;
        const asked = createImageReviewSpec(review.object, review);
        if (runsSameImages(asked, review)) return;
        const spec = JSON.stringify(asked);
        const known = cache.get(spec);
        const status = known ?? (await ask(spec, review, options));
        if (status === 'failed open') {
          log.warn('image policy backend failed, pod admitted', {
            namespace: review.namespace,
          });
          return;
        }
        if (known === undefined)
          cache.set(spec, status, status.allowed ? policy.allowTtlMs : policy.denyTtlMs);
        for (const [key, value] of Object.entries(status.auditAnnotations))
          review.auditAnnotations[`${auditKeys.imagePolicy}${key}`] = value;
        if (!status.allowed) throw refusal(review, `the image policy denies an image: ${status.reason}`);
      },
    };
  },
};

function concernsImages(review: Review): boolean {
  const { operation } = review;
  if (operation !== 'CREATE' && operation !== 'UPDATE') return false;
  return isAbout(review, '', 'pods') || isAbout(review, '', 'pods', 'ephemeralcontainers');
}

/** Whether an update brings no new image: it needs no verdict, and passes while the backend is unreachable. */
function runsSameImages({ containers }: ImageReviewSpec, review: Review): boolean {
  const { oldObject } = review;
  return (
    oldObject !== undefined && equalJson(containers, createImageReviewSpec(oldObject, review).containers)
  );
}

/** Returns the backend's verdict; without one the configuration decides. */
async function ask(
  spec: string,
  review: Review,
  options: BackendOptions,
): Promise<ImageReviewStatus | 'failed open'> {
  try {
    return await askBackend(spec, review.call, options);
  } catch (thrown) {
    if (!(thrown instanceof BackendFailed)) throw thrown;
    if (!options.policy.defaultAllow)
      throw refusal(review, `cannot call the image policy backend: ${thrown.message}`);
    review.auditAnnotations[`${auditKeys.imagePolicy}failed-open`] = 'true';
    return 'failed open';
  }
}

function refusal(review: Review, why: string) {
  return forbidden(review.definition, reviewedName(review), why);
}
