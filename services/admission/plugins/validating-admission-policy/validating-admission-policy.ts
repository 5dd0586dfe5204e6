import { groups } from '@binnacle/api-names';
import { createTypeRegistry } from '@binnacle/api-types';
import type { PluginEnvironment, PluginRegistration } from '../../chain/plugin-registration.ts';
import { createServiceAddresses, servicesType } from '../webhooks/service-addresses.ts';
import { matchingOptions } from '../webhooks/webhook-plugin-options.ts';
import { createFindParameter } from './parameters.ts';
import { createPolicySource } from './policy-source.ts';
import { createPolicyValidation } from './validate.ts';

const alpha = { group: groups.admissionregistration, version: 'v1alpha1' };
const policies = { ...alpha, resource: 'validatingadmissionpolicies' };
const bindings = { ...alpha, resource: 'validatingadmissionpolicybindings' };

/** ValidatingAdmissionPolicy, on by default; without its feature gate, or where policies are not served, it has no effect. */
export const validatingAdmissionPolicy: PluginRegistration = {
  name: 'ValidatingAdmissionPolicy',
  byDefault: true,
  reads: [policies, bindings, servicesType],
  create(environment) {
    if (!areEvaluated(environment)) return { name: 'ValidatingAdmissionPolicy' };
    const { objects, registry, metrics } = environment;
    const matching = matchingOptions(environment, createServiceAddresses(objects.reader(servicesType)));
    return createPolicyValidation({
      ...matching,
      ready: ({ call }) => objects.ready(call),
      policies: createPolicySource(objects.cache(policies), objects.cache(bindings), matching.equivalents),
      findParameter: createFindParameter({ objects, registry, convert: matching.convert }),
      metrics,
    });
  },
};

function areEvaluated({ settings }: PluginEnvironment): boolean {
  const { validatingAdmissionPolicy: isOn, runtimeConfig } = settings;
  const { group, version, resource } = policies;
  return isOn && createTypeRegistry({ runtimeConfig }).resource(group, version, resource) !== undefined;
}
