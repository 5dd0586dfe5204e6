/** What flags, rather than the admission configuration, say to single plugins. */
export interface PluginSettings {
  /** Seconds for which pods stay on a node that is not ready, unless they say otherwise. */
  readonly defaultNotReadyTolerationSeconds: number;
  /** Seconds for which pods stay on a node that cannot be reached, unless they say otherwise. */
  readonly defaultUnreachableTolerationSeconds: number;
  /** What of the built-in types is served, as `--runtime-config` says it. */
  readonly runtimeConfig: string;
  /** Whether policies are evaluated: the feature gate of that name. */
  readonly validatingAdmissionPolicy: boolean;
}

/** The settings without flags. */
export const defaultPluginSettings: PluginSettings = {
  defaultNotReadyTolerationSeconds: 300,
  defaultUnreachableTolerationSeconds: 300,
  runtimeConfig: '',
  validatingAdmissionPolicy: false,
};
