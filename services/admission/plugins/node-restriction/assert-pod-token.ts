import { asObject, asText } from '@binnacle/api-types';
import { notFound } from '@binnacle/status-errors';
import { boundNodeOf, type NodeReview, refusal } from './node-review.ts';

/** A node agent gets tokens that are bound to a pod of its node; the service accounts themselves it writes as its roles say. */
export async function assertPodToken({ review, nodeName, pods }: NodeReview): Promise<void> {
  const { subresource, operation, object, namespace, call } = review;
  if (subresource !== 'token' || operation !== 'CREATE') return;
  const bound = asObject(asObject(object?.['spec'])?.['boundObjectRef']) ?? {};
  const { kind, apiVersion, name, uid } = bound;
  if (kind !== 'Pod' || apiVersion !== 'v1' || asText(name) === '')
    throw refusal(review, `node ${nodeName} may ask for tokens only that are bound to a pod`);
  if (asText(uid) === '') throw refusal(review, 'a token that is bound to a pod needs the uid of the pod');
  const pod = (await pods.find(namespace, asText(name), call))?.parse();
  if (pod === undefined) throw notFound({ group: '', resource: 'pods' }, asText(name));
  if (pod.metadata.uid !== uid) throw refusal(review, 'the uid of the bound object is not that of the pod');
  if (boundNodeOf(pod) !== nodeName)
    throw refusal(review, `node ${nodeName} may not ask for tokens of pods on other nodes`);
}
