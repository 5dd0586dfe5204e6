import {
  booleanFlag,
  choiceFlag,
  flagGroup,
  integerFlag,
  listFlag,
  portFlag,
  serviceFlags,
  stringFlag,
  tracingFlags,
} from '@binnacle/flags';
import { defaultDeniedNetworks } from '@binnacle/network-filter';
import { serviceResolvers } from './targets/resolve-target.ts';

/** The flags of calls to webhooks, which the standalone form has too. */
export const webhookFlags = flagGroup('Webhooks', {
  allowLoopbackWebhooks: booleanFlag({
    description:
      'Permission to call webhooks at loopback addresses of the machine that this service runs on.',
    default: false,
  }),
  allowLinkLocalWebhooks: booleanFlag({
    description:
      'Permission to call webhooks at link-local addresses, where clouds have their metadata services.',
    default: false,
  }),
  webhookDeniedNetworks: listFlag({
    description: 'Networks in which webhooks are never called.',
    default: defaultDeniedNetworks,
  }),
  maxCallsPerWebhook: integerFlag({
    description: 'Calls to one target under way at a time; more fail at once.',
    default: 256,
    min: 1,
  }),
  serviceResolver: choiceFlag(serviceResolvers, {
    description:
      'Address of webhooks that name a service: its cluster IP, its address in DNS, or none (such webhooks fail).',
    default: 'cluster-ip',
  }),
});

/** The flags of webhook-dispatch. */
export const webhookDispatchFlags = flagGroup('Calls', {
  ...serviceFlags,
  ...tracingFlags,
  ...webhookFlags,
  host: stringFlag({ description: 'Address to serve on.', default: '127.0.0.1' }),
  port: portFlag({ description: 'Port to serve on.', default: 7003 }),
});
