import { pluginFlags } from '@binnacle/admission';
import { controllerFlags } from '@binnacle/controller-manager';
import {
  type FlagValues,
  flagGroup,
  portFlag,
  serviceFlags,
  stringFlag,
  tracingFlags,
} from '@binnacle/flags';
import { apiFlags } from '@binnacle/gateway';
import { encryptionFlags } from '@binnacle/storage';
import { tokenFlags } from '@binnacle/token-review';
import { webhookFlags } from '@binnacle/webhook-dispatch';

const { apiNames, logLevel, logFormat, featureGates } = serviceFlags;

/** The flags of the standalone form: those of its services, except the addresses of services. */
export const standaloneFlags = flagGroup('Standalone', {
  apiNames,
  logLevel,
  logFormat,
  featureGates,
  ...tracingFlags,
  port: portFlag({ description: 'Port that the API is served on; 0 is a free one.', default: 6443 }),
  dataDir: stringFlag({
    description: 'Folder that holds all state: admin.conf, pki, the store, run.',
    default: '.binnacle',
  }),
  ...pluginFlags,
  ...encryptionFlags,
  ...apiFlags,
  ...tokenFlags,
  ...webhookFlags,
  ...controllerFlags,
});

/** The values of the flags of the standalone form. */
export type StandaloneConfig = FlagValues<typeof standaloneFlags>;
