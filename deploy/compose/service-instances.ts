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
}

const processesOf: Readonly<Record<ServiceName, number>> = {
  'token-review': 2,
  'webhook-dispatch': 2,
  admission: 2,
  storage: 2,
  gateway: 2,
  'controller-manager': 2,
};

/** Every process of the distributed form. Their order means nothing: each copes with the others' absence. */
export const serviceInstances: readonly ServiceInstance[] = serviceNames.flatMap(service =>
  Array.from({ length: processesOf[service] }, (_, index) => ({
    service,
    number: index + 1,
    name: `${service}-${index + 1}`,
  })),
);

/** One more gateway, without TLS: what a gateway costs without it can then be measured beside the others. */
export const plainGateway: ServiceInstance = { service: 'gateway', number: 3, name: 'gateway-3' };
