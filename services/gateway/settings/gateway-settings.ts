import type { FlagValues } from '@binnacle/flags';
import type { settingFlags } from './gateway-flags.ts';

/** How a gateway behaves: the values of its flags, by their names. Durations are milliseconds. */
export type GatewaySettings = FlagValues<typeof settingFlags>;
