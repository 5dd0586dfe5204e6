import { type ApiObject, isJsonObject, type JsonObject } from '@binnacle/api-objects';
import { asObject, asObjects, asText, canonicalGroup } from '@binnacle/api-types';

/** The version in which a backend is asked. */
export const imageReviewVersion = 'imagepolicy.cluster.io/v1alpha1';

/** What a backend says of the images of a pod. */
export interface ImageReviewStatus {
  readonly allowed: boolean;
  /** '' when it gives none. */
  readonly reason: string;
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

/** Parts of the keys of annotations that are for the backend. */
const annotationMarks = ['.image-policy.cluster.io/', '.image-policy.k8s.io/'];

/** The spec of the review of a pod's images; of a pod that gets a debugging container only those count. */
export function imageReviewSpecOf(
  pod: ApiObject,
  { subresource, namespace }: { readonly subresource: string; readonly namespace: string },
): JsonObject {
  const spec = asObject(pod['spec']) ?? {};
  const lists =
    subresource === 'ephemeralcontainers' ? ['ephemeralContainers'] : ['containers', 'initContainers'];
  const containers = lists.flatMap(list => asObjects(spec[list]));
  const annotations = Object.entries(pod.metadata.annotations ?? {}).filter(([key]) =>
    annotationMarks.some(mark => key.includes(mark)),
  );
  return {
    containers: containers.map(({ image }) => ({ image: asText(image) })),
    ...(annotations.length > 0 && { annotations: Object.fromEntries(annotations.sort()) }),
    namespace,
  };
}

/** Reads the answer of a backend; throws an Error that says what is wrong with one that is none. */
export function parseImageReview(body: Uint8Array): ImageReviewStatus {
  const review: unknown = JSON.parse(Buffer.from(body).toString());
  if (!isJsonObject(review)) throw new Error('the answer is not an object');
  const [group = '', version = ''] = asText(review['apiVersion']).split('/');
  if (review['kind'] !== 'ImageReview' || `${canonicalGroup(group)}/${version}` !== imageReviewVersion)
    throw new Error(`the answer is no ImageReview of ${imageReviewVersion}`);
  const status = asObject(review['status']) ?? {};
  const annotations = Object.entries(asObject(status['auditAnnotations']) ?? {});
  return {
    allowed: status['allowed'] === true,
    reason: asText(status['reason']),
    auditAnnotations: Object.fromEntries(annotations.map(([key, value]) => [key, asText(value)])),
  };
}
