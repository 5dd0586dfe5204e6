import type { KindRules } from '../definitions/definitions.ts';
import { webhookConfigurationRules } from './webhook-configuration.ts';

/** The rules of MutatingWebhookConfiguration objects; `reinvocationPolicy` is a closed set of the proto. */
export const mutatingWebhookConfigurationRules: KindRules = webhookConfigurationRules;
