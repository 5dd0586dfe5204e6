import { groups } from '@binnacle/api-names';
import { type GroupVersionDeclaration, resource } from '../definitions/resource-declaration.ts';
import { validatingAdmissionPolicyRules } from './validating-admission-policy.ts';
import { validatingAdmissionPolicyBindingRules } from './validating-admission-policy-binding.ts';
import { webhookConfigurationRules } from './webhook-configuration.ts';

const group = groups.admissionregistration;
const categories = ['api-extensions'];

/** Webhook configurations, version v1. */
export const admissionregistrationV1: GroupVersionDeclaration = {
  group,
  version: 'v1',
  protoPackage: 'admissionregistration.v1',
  resources: [
    resource({
      kind: 'MutatingWebhookConfiguration',
      resource: 'mutatingwebhookconfigurations',
      namespaced: false,
      categories,
      rules: webhookConfigurationRules,
    }),
    resource({
      kind: 'ValidatingWebhookConfiguration',
      resource: 'validatingwebhookconfigurations',
      namespaced: false,
      categories,
      rules: webhookConfigurationRules,
    }),
  ],
};

/** Admission policies, version v1alpha1. */
export const admissionregistrationV1alpha1: GroupVersionDeclaration = {
  group,
  version: 'v1alpha1',
  protoPackage: 'admissionregistration.v1alpha1',
  resources: [
    resource({
      kind: 'ValidatingAdmissionPolicy',
      resource: 'validatingadmissionpolicies',
      namespaced: false,
      categories,
      rules: validatingAdmissionPolicyRules,
    }),
    resource({
      kind: 'ValidatingAdmissionPolicyBinding',
      resource: 'validatingadmissionpolicybindings',
      namespaced: false,
      categories,
      rules: validatingAdmissionPolicyBindingRules,
    }),
  ],
};
