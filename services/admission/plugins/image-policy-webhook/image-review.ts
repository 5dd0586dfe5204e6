import { understood } from '@binnacle/api-names';
import { formatApiVersion, isJsonObject, readJson } from '@binnacle/api-objects';
import { asObject, asText } from '@binnacle/api-types';
import type { Pod } from '@binnacle/api-types/core/v1';
import type { ImageReviewSpec } from '@binnacle/api-types/imagepolicy/v1alpha1';

/** The version in which a backend is asked. */
export const imageReviewVersion = 'v1alpha1';

const understoodVersions = understood.groups.imagepolicy.map(group =>
  formatApiVersion({ group, version: imageReviewVersion }),
);

/** The answer of a backend about the images of a pod. */
export interface ImageReviewStatus {
  readonly allowed: boolean;
  /** '' when it gives none. */
  readonly reason: string;
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

/** Parts of the keys of annotations that are for the backend. */
const annotationMarks = understood.annotations.imagePolicyMark;

/** The spec of the review of a pod's images; of a pod that gets a debugging container only those count. */
export function createImageReviewSpec(
  { metadata, spec = {} }: Pod,
  { subresource, namespace }: { readonly subresource: string; readonly namespace: string },
): ImageReviewSpec {
  const containers =
    subresource === 'ephemeralcontainers'
      ? (spec.ephemeralContainers ?? [])
      : [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const annotations = Object.entries(metadata.annotations ?? {}).filter(([key]) =>
    annotationMarks.some(mark => key.includes(mark)),
  );
  return {
    containers: containers.map(({ image = '' }) => ({ image })),
    ...(annotations.length > 0 && { annotations: Object.fromEntries(annotations.sort()) }),
    namespace,
  };
}

/**
 * Reads the answer of a backend that was asked in an apiVersion, by whichever name it calls its group; throws an Error that says what is
 * wrong with one that is none.
 */
export function parseImageReview(body: Uint8Array, asked: string): ImageReviewStatus {
  const review = readJson(Buffer.from(body).toString());
  if (!isJsonObject(review)) throw new Error('the answer is not an object');
  const { apiVersion, kind, status } = review;
  if (kind !== 'ImageReview' || !understoodVersions.includes(asText(apiVersion)))
    throw new Error(`the answer is not an ImageReview of ${asked}`);
  const { allowed, reason, auditAnnotations } = asObject(status) ?? {};
  const annotations = Object.entries(asObject(auditAnnotations) ?? {});
  return {
    allowed: allowed === true,
    reason: asText(reason),
    auditAnnotations: Object.fromEntries(annotations.map(([key, value]) => [key, asText(value)])),
  };
}
