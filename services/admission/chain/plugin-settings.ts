import { settingsFrom } from '@binnacle/service-kit';
import { type PluginOptions, pluginOptionFlags } from './plugin-flags.ts';

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

/** The settings without flags. */
export const defaultPluginSettings: PluginSettings = pluginSettingsFrom(settingsFrom(pluginOptionFlags));
