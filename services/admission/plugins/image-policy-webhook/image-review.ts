import { understood } from '@binnacle/api-names';
import { formatApiVersion, isJsonObject, readJson } from '@binnacle/api-objects';
import { asObject, asText } from '@binnacle/api-types';
import type { Pod } from '@binnacle/api-types/core/v1';
import type { ImageReviewSpec } from '@binnacle/api-types/imagepolicy/v1alpha1';

/** The version of ImageReview that is sent to a backend. */
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

/** Marks of annotation keys that are sent to the backend. */
const annotationMarks = understood.annotations.imagePolicyMark;

/** Creates the spec of the review of a pod's images; where debugging containers are added, of their images alone. */
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
 * Parses the answer of a backend to a review of an apiVersion; either name of the group is accepted. Throws an Error that says why an
 * answer is invalid.
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
