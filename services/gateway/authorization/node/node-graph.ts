import {
  type PodReferences,
  type ReferredType,
  referenceKey,
  type VolumeReferences,
} from './object-references.ts';

/** The objects that the pods of one node refer to, with how many of them do. */
interface NodeReferences {
  readonly things: Map<string, number>;
  readonly claims: Map<string, number>;
}

/**
 * The objects of nodes: those that the pods bound to a node refer to, the volumes bound to their claims with the
 * secrets that mount these, and attachments.
 *
 * A change costs time in proportion to what the changed object refers to. `isRelated` costs a look-up; for a secret it
 * goes through the claims of the node's pods. The memory is that of the references of bound pods and volumes.
 */
export class NodeGraph {
  readonly #pods = new Map<string, PodReferences>();
  readonly #nodes = new Map<string, NodeReferences>();
  readonly #volumes = new Map<string, VolumeReferences>();
  readonly #volumesByClaim = new Map<string, Set<VolumeReferences>>();
  readonly #attachments = new Map<string, string>();

  /** Adds or replaces a pod; a pod that is bound to no node is removed. */
  putPod(namespace: string, name: string, references: PodReferences): void {
    const key = `${namespace}\n${name}`;
    const before = this.#pods.get(key);
    // Most changes are of the status.
    if (before !== undefined && arePodReferencesEqual(before, references)) return;
    this.removePod(namespace, name);
    if (references.node === '') return;
    this.#pods.set(key, references);
    const node = this.#nodes.get(references.node) ?? { things: new Map(), claims: new Map() };
    this.#nodes.set(references.node, node);
    for (const thing of references.things) countUp(node.things, thing);
    for (const claim of references.claims) countUp(node.claims, claim);
  }

  /** Removes a pod. */
  removePod(namespace: string, name: string): void {
    const key = `${namespace}\n${name}`;
    const references = this.#pods.get(key);
    if (references === undefined) return;
    this.#pods.delete(key);
    const node = this.#nodes.get(references.node);
    if (node === undefined) return;
    for (const thing of references.things) countDown(node.things, thing);
    for (const claim of references.claims) countDown(node.claims, claim);
    if (node.things.size === 0 && node.claims.size === 0) this.#nodes.delete(references.node);
  }

  /** Adds or replaces a persistent volume; a volume that is bound to no claim is removed. */
  putVolume(name: string, references: VolumeReferences): void {
    this.removeVolume(name);
    const { claim } = references;
    if (claim === undefined) return;
    this.#volumes.set(name, references);
    const bound = this.#volumesByClaim.get(claim) ?? new Set();
    this.#volumesByClaim.set(claim, bound.add(references));
  }

  /** Removes a persistent volume. */
  removeVolume(name: string): void {
    const references = this.#volumes.get(name);
    if (references?.claim === undefined) return;
    this.#volumes.delete(name);
    const bound = this.#volumesByClaim.get(references.claim);
    bound?.delete(references);
    if (bound?.size === 0) this.#volumesByClaim.delete(references.claim);
  }

  /** Adds or replaces an attachment of a volume to one node. */
  putAttachment(name: string, node: string): void {
    this.#attachments.set(name, node);
  }

  /** Removes an attachment. */
  removeAttachment(name: string): void {
    this.#attachments.delete(name);
  }

  /** Whether an object is related to a node. */
  isRelated(node: string, type: ReferredType, { namespace, name }: ObjectName): boolean {
    if (type === 'volumeattachments') return this.#attachments.get(name) === node;
    const references = this.#nodes.get(node);
    if (references === undefined) return false;
    const key = referenceKey(type, namespace, name);
    switch (type) {
      case 'persistentvolumes': {
        const claim = this.#volumes.get(name)?.claim;
        return claim !== undefined && references.claims.has(claim);
      }
      case 'persistentvolumeclaims':
        return references.claims.has(key);
      case 'secrets':
        return references.things.has(key) || this.#mounts(references, key);
      case 'configmaps':
      case 'serviceaccounts':
        return references.things.has(key);
    }
  }

  /** Whether the graph is empty. */
  get isEmpty(): boolean {
    const parts = [this.#pods, this.#nodes, this.#volumes, this.#volumesByClaim, this.#attachments];
    return parts.every(({ size }) => size === 0);
  }

  #mounts({ claims }: NodeReferences, secret: string): boolean {
    for (const claim of claims.keys())
      for (const volume of this.#volumesByClaim.get(claim) ?? [])
        if (volume.secrets.includes(secret)) return true;
    return false;
  }
}

/** An object by its name; the namespace is "" for those that have none. */
interface ObjectName {
  readonly namespace: string;
  readonly name: string;
}

function arePodReferencesEqual(one: PodReferences, other: PodReferences): boolean {
  return (
    one.node === other.node &&
    areListsEqual(one.things, other.things) &&
    areListsEqual(one.claims, other.claims)
  );
}

function areListsEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}

function countUp(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function countDown(counts: Map<string, number>, key: string): void {
  const count = counts.get(key) ?? 0;
  if (count > 1) counts.set(key, count - 1);
  else counts.delete(key);
}
