import type { ResourceTarget } from '../../request/request-target.ts';

/** Counts open watches by type, namespace and object. */
export class WatchCounts {
  readonly #counts = new Map<string, number>();

  /** Counts a watch; returns what ends it, once. */
  opened(target: ResourceTarget): () => void {
    const key = scopeKey(target, target.namespace, target.requestedName);
    this.#add(key, 1);
    let isOpen = true;
    return () => {
      if (isOpen) this.#add(key, -1);
      isOpen = false;
    };
  }

  /** The number of watches that a write concerns: those of the object, of its namespace and of the whole type. */
  concernedBy(target: ResourceTarget): number {
    const { namespace, name } = target;
    let count = this.#get(scopeKey(target, '', ''));
    if (namespace !== '') count += this.#get(scopeKey(target, namespace, ''));
    if (name !== '') count += this.#get(scopeKey(target, namespace, name));
    if (name !== '' && namespace !== '') count += this.#get(scopeKey(target, '', name));
    return count;
  }

  #get(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  #add(key: string, change: number): void {
    const count = this.#get(key) + change;
    if (count === 0) this.#counts.delete(key);
    else this.#counts.set(key, count);
  }
}

function scopeKey({ canonicalGroup, resource }: ResourceTarget, namespace: string, name: string): string {
  return `${canonicalGroup}/${resource}/${namespace}/${name}`;
}
