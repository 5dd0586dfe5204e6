import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import { servicesType } from '../webhooks/service-addresses.ts';
import { createConfigurationType, webhookPluginOptions } from '../webhooks/webhook-plugin-options.ts';
import { createMutatingWebhooks } from './mutate.ts';

const configurations = createConfigurationType('mutating');

/** MutatingAdmissionWebhook, on by default. */
export const mutatingWebhooks: PluginRegistration = {
  name: 'MutatingAdmissionWebhook',
  byDefault: true,
  reads: [configurations, servicesType],
  configurable: true,
  create: environment => {
    const options = webhookPluginOptions(environment, configurations);
    return createMutatingWebhooks({ ...options, registry: environment.registry });
  },
};
