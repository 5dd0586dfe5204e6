export { addressFlags } from './address-flags.ts';
export { registerFeatureMetrics } from './feature-gates/register-feature-metrics.ts';
export {
  booleanFlag,
  choiceFlag,
  decimalFlag,
  durationFlag,
  type Flag,
  flagGroup,
  integerFlag,
  listFlag,
  optionalBooleanFlag,
  portFlag,
  stringFlag,
} from './flag.ts';
export { readFlagFile } from './flag-files.ts';
export {
  environmentName,
  FlagError,
  type FlagSpec,
  type FlagValues,
  flagName,
  parseFlags,
  settingName,
  settingsFrom,
  suggestion,
  TextRequested,
} from './parse-flags.ts';
export { parseProgramFlags } from './parse-program-flags.ts';
export {
  endIfValidating,
  flagSourceFlags,
  parseServiceFlags,
} from './parse-service-flags.ts';
export { serviceFlags, tracingFlags } from './service-flags.ts';
export {
  apiAudiencesFlag,
  changeFeedFlag,
  historyWindowFlag,
  runtimeConfigFlag,
  serviceAccountIssuerFlag,
  tlsReloadIntervalFlag,
} from './shared-flags.ts';
