import type { PluginOffer } from '../../chain/plugin-offer.ts';
import { createValidatingWebhooks } from './validate.ts';
import { createWebhookSource } from './webhook-source.ts';

const configurations = {
  group: 'admissionregistration.cluster.io',
  version: 'v1',
  resource: 'validatingwebhookconfigurations',
};

/** ValidatingAdmissionWebhook, on by default. */
export const validatingWebhooks: PluginOffer = {
  name: 'ValidatingAdmissionWebhook',
  byDefault: true,
  reads: [configurations],
  create: ({ objects, namespaces, webhookDispatch, metrics }) =>
    createValidatingWebhooks({
      ready: ({ call }) => objects.ready(call),
      webhooks: createWebhookSource(objects.cache(configurations)),
      namespaces,
      dispatch: webhookDispatch,
      metrics,
    }),
};
