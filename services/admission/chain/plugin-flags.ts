import {
  booleanFlag,
  type FlagValues,
  integerFlag,
  listFlag,
  runtimeConfigFlag,
  serviceFlags,
  stringFlag,
} from '@binnacle/flags';

/** The flags of admission and its plugins; the standalone form has them too. */
export const pluginFlags = {
  enableAdmissionPlugins: listFlag({ description: 'Plugins to run beyond the defaults.' }),
  disableAdmissionPlugins: listFlag({ description: 'Default plugins that do not run.' }),
  admissionControlConfigFile: stringFlag({
    description: 'AdmissionConfiguration file with the configuration of plugins.',
  }),
  allowPrivileged: booleanFlag({
    description:
      'Permission for containers to be privileged; without it pods and pod templates that have such containers are refused.',
    default: true,
  }),
  defaultNotReadyTolerationSeconds: integerFlag({
    description: 'Seconds that pods without a toleration of their own stay on a node that is not ready.',
    default: 300,
  }),
  defaultUnreachableTolerationSeconds: integerFlag({
    description: 'Seconds that pods without a toleration of their own stay on an unreachable node.',
    default: 300,
  }),
  runtimeConfig: runtimeConfigFlag(
    'Served API versions, equal to the flag of the gateways: webhooks for one version see requests to the others.',
  ),
};

/** The flags that decide on what plugins do: their own, and the gates of features. */
export const pluginOptionFlags = { ...pluginFlags, featureGates: serviceFlags.featureGates };

/** Which plugins run, and what they are told: the values of the flags, by their names. */
export type PluginOptions = FlagValues<typeof pluginOptionFlags>;
