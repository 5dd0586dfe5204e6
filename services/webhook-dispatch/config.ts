import {
  booleanFlag,
  choiceFlag,
  type FlagValues,
  integerFlag,
  portFlag,
  serviceFlags,
  stringFlag,
} from '@binnacle/service-kit';
import { serviceResolutions } from './targets/resolve-target.ts';

/** The flags of the calls to webhooks; the standalone form has them too. */
export const webhookFlags = {
  allowLoopbackWebhooks: booleanFlag({
    description: 'Whether the URL of a webhook may lead to the machine that this service runs on.',
    default: true,
  }),
  maxCallsPerWebhook: integerFlag({
    description: 'Calls to one target that may be under way; more fail at once.',
    default: 256,
    min: 1,
  }),
  serviceResolver: choiceFlag(serviceResolutions, {
    description:
      'Where webhooks that are named by a service are called: at its cluster IP, at what the name service says, or not at all.',
    default: 'cluster-ip',
  }),
};

/** The flags of webhook-dispatch. */
export const webhookDispatchFlags = {
  ...serviceFlags,
  ...webhookFlags,
  host: stringFlag({ description: 'Address to serve on.', default: '127.0.0.1' }),
  port: portFlag({ description: 'Port to serve on.', default: 7003 }),
};

/** Their values. */
export type WebhookDispatchConfig = FlagValues<typeof webhookDispatchFlags>;
