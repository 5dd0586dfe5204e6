import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import { servicesType } from '../webhooks/service-addresses.ts';
import { createConfigurationType, webhookPluginOptions } from '../webhooks/webhook-plugin-options.ts';
import { createValidatingWebhooks } from './validate.ts';

const configurations = createConfigurationType('validating');

/** ValidatingAdmissionWebhook, on by default. */
export const validatingWebhooks: PluginRegistration = {
  name: 'ValidatingAdmissionWebhook',
  byDefault: true,
  reads: [configurations, servicesType],
  configurable: true,
  create: environment => createValidatingWebhooks(webhookPluginOptions(environment, configurations)),
};
