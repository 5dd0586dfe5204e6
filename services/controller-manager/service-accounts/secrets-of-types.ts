import type { ApiObject } from '@binnacle/api-objects';
import type { Secret } from '@binnacle/api-types/core/v1';
import { type ApiClient, Informer, type InformerOptions } from '@binnacle/client';

/** Options of following Secrets: their selection, and the callbacks. */
interface SecretsOptions extends Pick<InformerOptions, 'signal' | 'onChange' | 'onDelete' | 'onError'> {
  readonly client: ApiClient;
  /** Namespace of the Secrets; undefined: all namespaces. */
  readonly namespace?: string;
  /** The names of their type, which a Secret never changes. */
  readonly types: readonly string[];
}

/** Informer of the Secrets of one type under all names of the type; it requests no other Secrets. */
export class SecretsOfTypes {
  readonly #informers: readonly Informer[];

  constructor({ client, namespace, types, ...events }: SecretsOptions) {
    const path = namespace === undefined ? '/api/v1/secrets' : `/api/v1/namespaces/${namespace}/secrets`;
    this.#informers = types.map(
      type => new Informer({ ...events, client, path, fieldSelector: `type=${type}` }),
    );
  }

  /** Resolves after the first list of each name. */
  get synced(): Promise<unknown> {
    return Promise.all(this.#informers.map(({ synced }) => synced));
  }

  get(namespace: string, name: string): Secret | undefined {
    const found = this.#informers.map(informer => informer.get(namespace, name));
    return found.find((secret): secret is ApiObject => secret !== undefined);
  }

  all(): Secret[] {
    return this.#informers.flatMap(informer => [...informer.objects()]);
  }

  /** Follows them until the signal aborts. */
  async run(): Promise<void> {
    await Promise.all(this.#informers.map(informer => informer.run()));
  }
}
