import type { TypeCache } from '@binnacle/watch-cache';
import { type Candidates, createCandidates } from './candidates.ts';
import type { EquivalentResources } from './equivalent-resources.ts';
import { readWebhooks, type Webhook } from './webhook.ts';

/** A webhook with its position among those of all configurations. */
export interface OrderedWebhook extends Webhook {
  readonly order: number;
}

/** Returns the webhooks that can match a write, by the name of their configuration and their position in it. */
export type WebhookSource = Candidates<OrderedWebhook>;

const webhooksSlot = Symbol('webhooks');

/** Creates a source on the cache of the configurations; each configuration is read once for each of its versions. */
export function createWebhookSource(cache: TypeCache, equivalents: EquivalentResources): WebhookSource {
  return createCandidates({
    caches: [cache],
    read: () =>
      cache
        .list({})
        .objects.toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)))
        .flatMap(object => object.derived(webhooksSlot, cached => readWebhooks(cached.parse())))
        .map((webhook, order) => ({ ...webhook, order })),
    rulesOf: webhook => webhook,
    equivalents,
  });
}
