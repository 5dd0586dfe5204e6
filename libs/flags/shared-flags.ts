import { tokens } from '@binnacle/api-names';
import { choiceFlag, durationFlag, type Flag, listFlag, stringFlag } from './flag.ts';

// Flags of several services, each of which describes its use of the value.

/** The flag `--history-window`, in ms. */
export function historyWindowFlag(description: string): Flag<number> {
  return durationFlag({ description, default: 300_000, min: 1_000 });
}

/** The flag `--tls-reload-interval`, in ms. */
export const tlsReloadIntervalFlag: Flag<number> = durationFlag({
  description:
    'Interval at which certificates, keys and passwords in files are checked for changes; 0 is never.',
  default: 60_000,
});

/** The flag `--change-feed`. */
export function changeFeedFlag(
  description = 'Source of changes: the Kafka topic, or storage itself.',
): Flag<'kafka' | 'direct'> {
  return choiceFlag(['kafka', 'direct'], { description, default: 'direct' });
}

/** The flag `--service-account-issuer`. */
export function serviceAccountIssuerFlag(description: string): Flag<string> {
  return stringFlag({ description, default: tokens.issuer });
}

/** The flag `--api-audiences`. */
export const apiAudiencesFlag: Flag<readonly string[]> = listFlag({
  description: 'Audiences of the API; the issuer when none is given.',
});

/** The flag `--runtime-config`. */
export function runtimeConfigFlag(description: string): Flag<string> {
  return stringFlag({ description, default: '' });
}
