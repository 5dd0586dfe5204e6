import type { KindRules } from '../definitions/definitions.ts';
import { webhookConfigurationRules } from './webhook-configuration.ts';

/** The rules of ValidatingWebhookConfiguration objects. */
export const validatingWebhookConfigurationRules: KindRules = webhookConfigurationRules;
