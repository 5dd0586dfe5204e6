import {
  addressFlags,
  type BinnacleGates,
  choiceFlag,
  type FlagValues,
  integerFlag,
  kafkaFlags,
  listFlag,
  portFlag,
  serviceFlags,
  stringFlag,
} from '@binnacle/service-kit';
import type { PluginOptions } from './create-admission.ts';

/** The flags of plugins; the standalone form has them too. */
export const pluginFlags = {
  enableAdmissionPlugins: listFlag({ description: 'Plugins to run beyond the defaults.' }),
  disableAdmissionPlugins: listFlag({ description: 'Default plugins that do not run.' }),
  admissionControlConfigFile: stringFlag({
    description: 'AdmissionConfiguration file with the configuration of plugins.',
  }),
  defaultNotReadyTolerationSeconds: integerFlag({
    description: 'Seconds that pods without a toleration of their own stay on a node that is not ready.',
    default: 300,
  }),
  defaultUnreachableTolerationSeconds: integerFlag({
    description: 'Seconds that pods without a toleration of their own stay on an unreachable node.',
    default: 300,
  }),
  runtimeConfig: stringFlag({
    description:
      'Served API versions, equal to the flag of the gateways: webhooks for one version see requests to the others.',
    default: '',
  }),
};

/** What the flags of plugins say. */
export function pluginOptionsFrom(
  flags: FlagValues<typeof pluginFlags> & { readonly featureGates: BinnacleGates },
): PluginOptions {
  const { defaultNotReadyTolerationSeconds, defaultUnreachableTolerationSeconds, runtimeConfig } = flags;
  return {
    enabled: flags.enableAdmissionPlugins,
    disabled: flags.disableAdmissionPlugins,
    configurationFile: flags.admissionControlConfigFile,
    settings: {
      defaultNotReadyTolerationSeconds,
      defaultUnreachableTolerationSeconds,
      runtimeConfig,
      validatingAdmissionPolicy: flags.featureGates.isEnabled('ValidatingAdmissionPolicy'),
    },
  };
}

/** The flags of admission. */
export const admissionFlags = {
  ...serviceFlags,
  ...pluginFlags,
  host: stringFlag({ description: 'Address to serve on.', default: '127.0.0.1' }),
  port: portFlag({ description: 'Port to serve on.', default: 7002 }),
  storageAddresses: addressFlags.storageAddresses,
  webhookDispatchAddresses: addressFlags.webhookDispatchAddresses,
  changeFeed: choiceFlag(['kafka', 'direct'], {
    description: 'Source of changes: the Kafka topic, or storage itself.',
    default: 'direct',
  }),
  ...kafkaFlags,
};

/** Their values. */
export type AdmissionConfig = FlagValues<typeof admissionFlags>;
