import {
  addressFlags,
  changeFeedFlag,
  flagGroup,
  portFlag,
  serviceFlags,
  stringFlag,
  tracingFlags,
} from '@binnacle/flags';
import { kafkaFlags } from '@binnacle/service-kit';
import { pluginFlags } from './chain/plugin-flags.ts';

/** The flags of admission. */
export const admissionFlags = flagGroup('Calls', {
  ...serviceFlags,
  ...tracingFlags,
  ...pluginFlags,
  host: stringFlag({ description: 'Address to serve on.', default: '127.0.0.1' }),
  port: portFlag({ description: 'Port to serve on.', default: 7002 }),
  storageAddresses: addressFlags.storageAddresses,
  webhookDispatchAddresses: addressFlags.webhookDispatchAddresses,
  changeFeed: changeFeedFlag(),
  ...kafkaFlags,
});
