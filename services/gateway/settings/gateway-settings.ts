import type { FlagValues } from '@binnacle/flags';
import type { settingFlags } from './gateway-flags.ts';

/** The settings of a gateway: the values of its flags, by their names. Durations are milliseconds. */
export type GatewaySettings = FlagValues<typeof settingFlags>;
