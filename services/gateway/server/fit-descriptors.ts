import { fitConnections, readDescriptorLimit } from '@binnacle/connections';
import type { Logger } from '@binnacle/telemetry';
import type { ConnectionSettings } from '../settings/connection-flags.ts';

/** Lowers the number of connections to what the process may have open; logs when it is lower than it is set. */
export function fitDescriptors(settings: ConnectionSettings, logger: Logger): ConnectionSettings {
  const descriptors = readDescriptorLimit();
  const maxConnections = fitConnections(settings.maxConnections, descriptors);
  if (settings.maxConnections > 0 && maxConnections < settings.maxConnections) {
    logger.warn('open file limit too low, maximum of connections lowered', {
      descriptors,
      wanted: settings.maxConnections,
      maxConnections,
    });
  }
  return { ...settings, maxConnections };
}
