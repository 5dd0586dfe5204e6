import { fitConnections, readDescriptorLimit } from '@binnacle/connections';
import type { Logger } from '@binnacle/telemetry';
import { type ConnectionSettings, connectionFlags } from '../settings/connection-flags.ts';

/**
 * Lowers the number of connections to what the process may have open, and logs it: as a warning where the number was set, and
 * is not the default.
 */
export function fitDescriptors(settings: ConnectionSettings, logger: Logger): ConnectionSettings {
  const descriptors = readDescriptorLimit();
  const maxConnections = fitConnections(settings.maxConnections, descriptors);
  if (settings.maxConnections > 0 && maxConnections < settings.maxConnections) {
    const isSet = settings.maxConnections !== connectionFlags.maxConnections.defaultValue;
    logger[isSet ? 'warn' : 'info']('open file limit too low, maximum of connections lowered', {
      descriptors,
      wantedConnections: settings.maxConnections,
      maxConnections,
    });
  }
  return { ...settings, maxConnections };
}
