import {
  booleanFlag,
  type FlagValues,
  flagGroup,
  integerFlag,
  listFlag,
  runtimeConfigFlag,
  serviceFlags,
  stringFlag,
} from '@binnacle/flags';

/** The flags of admission and its plugins; the standalone form has them too. */
export const pluginFlags = flagGroup('Admission', {
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
});

/** The flags that decide what plugins do: their own, and the feature gates. */
export const pluginOptionFlags = { ...pluginFlags, featureGates: serviceFlags.featureGates };

/** The values of the flags of plugins, by name: which plugins run, and their settings. */
export type PluginOptions = FlagValues<typeof pluginOptionFlags>;
