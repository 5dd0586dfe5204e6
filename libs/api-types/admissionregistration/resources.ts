import { type GroupVersionDeclaration, resource } from '../resource-declaration.ts';
import { validatingWebhookConfigurationRules } from './validating-webhook-configuration.ts';

/** Webhook configurations, version v1. */
export const admissionregistrationV1: GroupVersionDeclaration = {
  group: 'admissionregistration.cluster.io',
  version: 'v1',
  protoPackage: 'cluster.io.api.admissionregistration.v1',
  resources: [
    resource({
      kind: 'ValidatingWebhookConfiguration',
      resource: 'validatingwebhookconfigurations',
      namespaced: false,
      categories: ['api-extensions'],
      rules: validatingWebhookConfigurationRules,
    }),
  ],
};
