import type { PluginOptions } from './plugin-flags.ts';

/** What flags, rather than the admission configuration, say to single plugins. */
export interface PluginSettings
  extends Pick<
    PluginOptions,
    'defaultNotReadyTolerationSeconds' | 'defaultUnreachableTolerationSeconds' | 'runtimeConfig'
  > {
  /** Whether policies are evaluated: the feature gate of that name. */
  readonly validatingAdmissionPolicy: boolean;
}

/** What the flags say to single plugins. */
export function pluginSettingsFrom(flags: PluginOptions): PluginSettings {
  return { ...flags, validatingAdmissionPolicy: flags.featureGates.isEnabled('ValidatingAdmissionPolicy') };
}
