import type { ApiObject } from '@binnacle/api-objects';
import { Backoff } from '@binnacle/event-loop';
import { StatusError } from '@binnacle/status-errors';
import type { ApiClient } from '../requests/api-client.ts';
import { metadataMediaType } from '../requests/metadata-media-type.ts';

/** The events of an informer, in order. */
interface InformerEvents {
  readonly onChange: (object: ApiObject, previous: ApiObject | undefined) => void;
  readonly onDelete: (last: ApiObject) => void;
  /** A list or watch failed; the informer retries it. */
  readonly onError: (error: unknown) => void;
}

/** Options of an informer. */
export interface InformerOptions extends InformerEvents {
  readonly client: Pick<ApiClient, 'request' | 'watchBatches'>;
  /** Path of the collection: `/api/v1/namespaces`. */
  readonly path: string;
  /** Field selector of the objects; default: all objects. */
  readonly fieldSelector?: string;
  readonly signal: AbortSignal;
  /** Whether the informer follows only the metadata, as PartialObjectMetadata; default: false. */
  readonly metadataOnly?: boolean;
  /** Reduces an object to the part for cache and events, with at least its name, namespace, uid and resourceVersion. */
  readonly trim?: (object: ApiObject) => ApiObject;
}

interface ListPage {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly ApiObject[];
}

const pageSize = 500;
const firstPauseMs = 200;
const longestPauseMs = 15_000;

/**
 * Follows a collection: list, then watch from the version of the list (spec 1, "Watch"). A watch that ends is reopened
 * at its last version; if that version is gone (410), the informer lists again. Objects are kept by namespace and name;
 * readers must not modify them.
 */
export class Informer {
  readonly #options: InformerOptions;
  readonly #objects = new Map<string, ApiObject>();
  readonly #synced = Promise.withResolvers<void>();
  #resourceVersion: string | undefined;
  readonly #backoff = new Backoff({ firstMs: firstPauseMs, longestMs: longestPauseMs });

  constructor(options: InformerOptions) {
    this.#options = options;
  }

  /** Resolves after the first list. */
  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  /** Returns all objects in the cache. */
  objects(): Iterable<ApiObject> {
    return this.#objects.values();
  }

  get(namespace: string, name: string): ApiObject | undefined {
    return this.#objects.get(`${namespace}/${name}`);
  }

  /** Follows the collection until the signal aborts. */
  async run(): Promise<void> {
    const { signal, onError } = this.#options;
    while (!signal.aborted) {
      try {
        this.#resourceVersion ??= await this.#list();
        this.#backoff.reset();
        await this.#watch();
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof StatusError && error.code === 410) {
          this.#resourceVersion = undefined;
          continue;
        }
        onError(error);
        await this.#backoff.wait(signal);
      }
    }
  }

  async #list(): Promise<string> {
    const { client, signal, onDelete, metadataOnly = false } = this.#options;
    const accept = metadataOnly ? { accept: metadataMediaType('PartialObjectMetadataList') } : {};
    const seen = new Set<string>();
    let page: ListPage;
    let token = '';
    do {
      const query = `limit=${pageSize}${token && `&continue=${encodeURIComponent(token)}`}`;
      page = await client.request<ListPage>({
        method: 'GET',
        path: this.#pathWith(query),
        signal,
        ...accept,
      });
      for (const object of page.items) seen.add(this.#store(object));
      token = page.metadata.continue ?? '';
    } while (token !== '');
    for (const [key, object] of this.#objects) {
      if (seen.has(key)) continue;
      this.#objects.delete(key);
      onDelete(object);
    }
    this.#synced.resolve();
    return page.metadata.resourceVersion;
  }

  async #watch(): Promise<void> {
    const { client, signal, onDelete, metadataOnly = false } = this.#options;
    const options = metadataOnly ? { accept: metadataMediaType('PartialObjectMetadata') } : {};
    const query = `watch=1&allowWatchBookmarks=true&resourceVersion=${this.#resourceVersion}`;
    for await (const messages of client.watchBatches(this.#pathWith(query), signal, options)) {
      this.#backoff.reset();
      for (const { type, object } of messages) {
        if (signal.aborted) return;
        if (type === 'DELETED') {
          this.#objects.delete(keyOf(object));
          onDelete(this.#options.trim?.(object) ?? object);
        } else if (type !== 'BOOKMARK') {
          this.#store(object);
        }
        this.#resourceVersion = object.metadata.resourceVersion;
      }
    }
  }

  #pathWith(query: string): string {
    const { path, fieldSelector } = this.#options;
    const selected = fieldSelector === undefined ? '' : `&fieldSelector=${encodeURIComponent(fieldSelector)}`;
    return `${path}?${query}${selected}`;
  }

  #store(received: ApiObject): string {
    const object = this.#options.trim?.(received) ?? received;
    const key = keyOf(object);
    const previous = this.#objects.get(key);
    this.#objects.set(key, object);
    if (
      previous?.metadata.resourceVersion !== object.metadata.resourceVersion ||
      previous?.metadata.uid !== object.metadata.uid
    ) {
      this.#options.onChange(object, previous);
    }
    return key;
  }
}

function keyOf(object: ApiObject): string {
  return `${object.metadata.namespace ?? ''}/${object.metadata.name}`;
}
