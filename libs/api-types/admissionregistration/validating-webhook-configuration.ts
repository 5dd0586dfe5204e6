import type { KindRules } from '../definitions.ts';

/** The rules of ValidatingWebhookConfiguration objects. */
export const validatingWebhookConfigurationRules: KindRules = { generation: true };
