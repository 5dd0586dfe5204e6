import type { PluginOffer } from '../../chain/plugin-offer.ts';
import { servicesType } from '../webhooks/service-addresses.ts';
import { configurationsOf, webhookPluginOptions } from '../webhooks/webhook-plugin-options.ts';
import { createValidatingWebhooks } from './validate.ts';

const configurations = configurationsOf('validating');

/** ValidatingAdmissionWebhook, on by default. */
export const validatingWebhooks: PluginOffer = {
  name: 'ValidatingAdmissionWebhook',
  byDefault: true,
  reads: [configurations, servicesType],
  configurable: true,
  create: environment => createValidatingWebhooks(webhookPluginOptions(environment, configurations)),
};
