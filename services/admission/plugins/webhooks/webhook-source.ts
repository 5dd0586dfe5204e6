import type { TypeCache } from '@binnacle/watch-cache';
import { type Webhook, webhooksOf } from './webhook.ts';

/** Gives the webhooks of all configurations, ordered by the configuration's name and their place in it. */
export type WebhookSource = () => readonly Webhook[];

const webhooksSlot = Symbol('webhooks');

/** Creates a source on the cache of the configurations; each configuration is read once for each of its versions. */
export function createWebhookSource(cache: TypeCache): WebhookSource {
  let webhooks: readonly Webhook[] = [];
  let readAt = -1;
  return () => {
    if (cache.revision !== readAt) {
      const { objects, revision } = cache.list({});
      const inOrder = objects.toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
      webhooks = inOrder.flatMap(object =>
        object.derived(webhooksSlot, cached => webhooksOf(cached.parse())),
      );
      readAt = revision;
    }
    return webhooks;
  };
}
