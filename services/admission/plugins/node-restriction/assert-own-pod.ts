import { understood } from '@binnacle/api-names';
import { equalJson, isJsonObject } from '@binnacle/api-objects';
import type { TokenRequest } from '@binnacle/api-types/authentication/v1';
import type { Pod } from '@binnacle/api-types/core/v1';
import { notFound } from '@binnacle/status-errors';
import type { Review } from '../../chain/review.ts';
import { listEveryContainer } from '../pods/containers.ts';
import { type NodeReview, readBoundNode, refusal } from './node-review.ts';

const mirrorAnnotations = understood.annotations.configMirror;

/**
 * Asserts that a node agent only creates mirror pods on its node, and deletes, evicts or updates the status of pods bound to it.
 */
export async function assertOwnPod(node: NodeReview): Promise<void> {
  const { review, nodeName } = node;
  const { operation, subresource } = review;
  if (subresource === 'eviction' && operation === 'CREATE') return assertOwnEviction(node);
  if (subresource === 'status' && operation === 'UPDATE') return assertOwnStatus(review, nodeName);
  if (subresource !== '')
    throw refusal(review, `node ${nodeName} may write only the subresources status and eviction of pods`);
  if (operation === 'CREATE') return assertMirrorPod(node);
  if (operation === 'DELETE') return assertBound(review, review.oldObject, nodeName);
  throw refusal(review, `node ${nodeName} may create and delete pods, but not change them`);
}

/** Asserts that a node agent requests only tokens bound to a pod of its node; its roles decide on writes of service accounts. */
export async function assertPodToken({ review, nodeName, pods }: NodeReview): Promise<void> {
  const { subresource, operation, object, namespace, call } = review;
  if (subresource !== 'token' || operation !== 'CREATE') return;
  const { spec }: Partial<TokenRequest> = object ?? {};
  const { kind, apiVersion, name = '', uid = '' } = spec?.boundObjectRef ?? {};
  if (kind !== 'Pod' || apiVersion !== 'v1' || name === '')
    throw refusal(review, `node ${nodeName} may request only tokens that are bound to a pod`);
  if (uid === '') throw refusal(review, 'a token that is bound to a pod needs the uid of the pod');
  const pod = (await pods.find(namespace, name, call))?.parse();
  if (pod === undefined) throw notFound({ group: '', resource: 'pods' }, name);
  if (pod.metadata.uid !== uid) throw refusal(review, 'the uid of the bound object is not that of the pod');
  if (readBoundNode(pod) !== nodeName)
    throw refusal(review, `node ${nodeName} may not request tokens of pods on other nodes`);
}

function assertBound(review: Review, pod: Pod | undefined, nodeName: string): void {
  if (readBoundNode(pod) !== nodeName)
    throw refusal(review, `node ${nodeName} may do this only to pods that are bound to it`);
}

function assertOwnStatus(review: Review, nodeName: string): void {
  const { object, oldObject } = review;
  assertBound(review, oldObject, nodeName);
  if (!equalJson(object?.metadata.labels ?? {}, oldObject?.metadata.labels ?? {}))
    throw refusal(review, `node ${nodeName} may not change the labels of a pod through its status`);
}

async function assertOwnEviction({ review, nodeName, pods }: NodeReview): Promise<void> {
  const { namespace, name, object, call } = review;
  const podName = name || object?.metadata.name || '';
  const pod = await pods.find(namespace, podName, call);
  if (pod === undefined) throw notFound({ group: '', resource: 'pods' }, podName);
  assertBound(review, pod.parse(), nodeName);
}

async function assertMirrorPod(node: NodeReview): Promise<void> {
  const { review, nodeName } = node;
  const { object } = review;
  if (object === undefined) return;
  const { annotations = {} } = object.metadata;
  if (!mirrorAnnotations.some(key => key in annotations))
    throw refusal(review, `node ${nodeName} may create mirror pods only`);
  assertBound(review, object, nodeName);
  await assertOwnedByNode(node, object);
  const referred = referredBy(object);
  if (referred !== undefined)
    throw refusal(review, `node ${nodeName} may not create pods that refer to ${referred}`);
}

async function assertOwnedByNode({ review, nodeName, nodes }: NodeReview, pod: Pod): Promise<void> {
  const [owner, ...others] = pod.metadata.ownerReferences ?? [];
  const isItself = owner?.apiVersion === 'v1' && owner.kind === 'Node' && owner.name === nodeName;
  if (owner === undefined || others.length > 0 || !isItself || owner.controller !== true)
    throw refusal(
      review,
      `node ${nodeName} may create only pods with itself as the only owner and controller`,
    );
  if (owner.blockOwnerDeletion === true)
    throw refusal(review, `node ${nodeName} may not set blockOwnerDeletion on the owner of a pod`);
  const found = await nodes.findCurrent('', nodeName, review.call);
  if (found === undefined) throw notFound({ group: '', resource: 'nodes' }, nodeName);
  if (found.parse().metadata.uid !== owner.uid)
    throw refusal(review, `the uid of the owner is not that of node ${nodeName}`);
}

/** Finds an object that a mirror pod must not refer to: through it a node agent could read the secrets of other nodes. */
function referredBy({ spec = {} }: Pod): string | undefined {
  const { serviceAccountName = '', imagePullSecrets = [], volumes = [] } = spec;
  if (serviceAccountName !== '') return 'a service account';
  if (imagePullSecrets.length > 0) return 'secrets';
  if (volumes.some(({ persistentVolumeClaim }) => persistentVolumeClaim !== undefined))
    return 'persistentvolumeclaims';
  // Secrets are named in a dozen places, config maps in three; nothing else in a pod has these members.
  const isNamed = (members: readonly string[]) =>
    namesMember([...volumes, ...listEveryContainer(spec)], members);
  if (isNamed(['secret', 'secretRef', 'secretKeyRef', 'nodePublishSecretRef', 'secretName']))
    return 'secrets';
  return isNamed(['configMap', 'configMapRef', 'configMapKeyRef']) ? 'configmaps' : undefined;
}

function namesMember(value: unknown, members: readonly string[]): boolean {
  if (Array.isArray(value)) return value.some(element => namesMember(element, members));
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(
    ([key, member]) => (members.includes(key) && member !== null) || namesMember(member, members),
  );
}
