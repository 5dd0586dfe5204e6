import type { PluginOptions } from './plugin-flags.ts';

/** Settings of single plugins that come from flags, rather than from the admission configuration. */
export interface PluginSettings
  extends Pick<
    PluginOptions,
    'defaultNotReadyTolerationSeconds' | 'defaultUnreachableTolerationSeconds' | 'runtimeConfig'
  > {
  /** Whether policies are evaluated: the feature gate of that name. */
  readonly validatingAdmissionPolicy: boolean;
}

/** Reads the settings of single plugins from the flags. */
export function pluginSettingsFrom(flags: PluginOptions): PluginSettings {
  return { ...flags, validatingAdmissionPolicy: flags.featureGates.isEnabled('ValidatingAdmissionPolicy') };
}
