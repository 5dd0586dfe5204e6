/** The services that run as processes of their own. */
export const serviceNames = [
  'token-review',
  'webhook-dispatch',
  'admission',
  'storage',
  'gateway',
  'controller-manager',
] as const;

/** The name of a service, which is also the name of its folder. */
export type ServiceName = (typeof serviceNames)[number];

/** One process of a service. */
export interface ServiceInstance {
  readonly service: ServiceName;
  /** From 1. */
  readonly number: number;
  /** `<service>-<number>`. */
  readonly name: string;
  /** A gateway without TLS. */
  readonly isPlain?: boolean;
}

/** Processes of each service; of gateways unless another number is asked for. */
const processesOfService = 2;

/** The most gateways that one local form starts with. */
export const mostGateways = 8;

/** The processes of one distributed form. */
export interface FormInstances {
  /** In any order: each can start without the others. */
  readonly all: readonly ServiceInstance[];
  /** One more gateway, without TLS: its cost can then be measured beside the others'. Started where it is asked for. */
  readonly plainGateway: ServiceInstance;
}

/** Lists the processes of a form with so many gateways. Throws a `RangeError` for a number out of range. */
export function planInstances(gateways = processesOfService): FormInstances {
  if (!Number.isInteger(gateways) || gateways < 1 || gateways > mostGateways)
    throw new RangeError(`a form has 1 to ${mostGateways} gateways, not ${gateways}`);
  const all = serviceNames.flatMap(service =>
    Array.from({ length: service === 'gateway' ? gateways : processesOfService }, (_, index) =>
      createInstance(service, index + 1),
    ),
  );
  return { all, plainGateway: { ...createInstance('gateway', gateways + 1), isPlain: true } };
}

function createInstance(service: ServiceName, number: number): ServiceInstance {
  return { service, number, name: `${service}-${number}` };
}
