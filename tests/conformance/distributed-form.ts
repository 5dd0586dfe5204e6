import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '@binnacle/backends';
import { type Distributed, startDistributed } from '@binnacle/compose';
import type { CalledService, ServiceName } from '@binnacle/compose/testing';
import type { FormOptions, RunningForm } from './drivers/running-form.ts';

/** Flags that are not the gateway's alone. */
const servicesOfFlag: Readonly<Record<string, readonly ServiceName[]>> = {
  controllers: ['controller-manager'],
  'history-window': ['gateway', 'storage'],
  'allow-loopback-webhooks': ['webhook-dispatch'],
  'enable-admission-plugins': ['admission'],
  'disable-admission-plugins': ['admission'],
  'admission-control-config-file': ['admission'],
  'enable-bootstrap-token-auth': ['token-review'],
  'service-account-key-file': ['token-review'],
  'authentication-token-webhook-config-file': ['token-review'],
  'authentication-token-webhook-version': ['token-review'],
  'authentication-token-webhook-cache-ttl': ['token-review'],
  'oidc-issuer-url': ['token-review'],
  'oidc-client-id': ['token-review'],
  'oidc-ca-file': ['token-review'],
  'oidc-groups-claim': ['token-review'],
  'oidc-groups-prefix': ['token-review'],
  'oidc-required-claim': ['token-review'],
  'oidc-username-claim': ['token-review'],
  'oidc-username-prefix': ['token-review'],
  'oidc-signing-algs': ['token-review'],
  'default-not-ready-toleration-seconds': ['admission'],
  'default-unreachable-toleration-seconds': ['admission'],
};

/** Services that a gateway with other flags gets for itself, where flags are theirs: as many processes as the form has of each. */
const calledServices: readonly CalledService[] = ['admission', 'token-review'];

/** A distributed form that runs, and the way to each of its processes. */
export interface RunningDistributedForm extends RunningForm {
  readonly distributed: Distributed;
}

/** Starts the distributed form as `make run-distributed` does: every service on real etcd, Kafka and Redis. */
export async function startDistributedForm(options: FormOptions): Promise<RunningDistributedForm> {
  const { dataDirectory, tokenAuthFile, flags } = options;
  const form = await startDistributed({
    dataDirectory,
    tokenAuthFile,
    port: await findFreePort(),
    arguments: argumentsFrom(flags),
  });
  const ca = await readFile(join(dataDirectory, 'pki/ca.crt'), 'utf8');
  const shared = { ca, dataDirectory };
  const started = new Map<string, Promise<readonly string[]>>();
  return {
    distributed: form,
    gateways: form.gateways,
    processes: form.gateways.map((_, index) => form.process(`gateway-${index + 1}`)),
    ...shared,
    withFlags(other) {
      const { gateway = [], admission, 'token-review': tokenReview, storage, ...rest } = argumentsFrom(other);
      if (Object.keys(rest).length > 0) return undefined;
      const called = { admission, 'token-review': tokenReview };
      return withGateway(form, { gateway, called, storage, started, shared });
    },
    [Symbol.asyncDispose]: () => form.stop(),
  };
}

/** Flags of one more gateway, and of the services that it calls. */
interface GatewayNeeds {
  readonly gateway: readonly string[];
  readonly called: Readonly<Record<CalledService, readonly string[] | undefined>>;
  /** Flags with which the form's own storage pods are restarted: from then on all of its gateways are served by such pods. */
  readonly storage: readonly string[] | undefined;
  /** Addresses of the services that were started, by their flags: gateways with the same flags of a service share them. */
  readonly started: Map<string, Promise<readonly string[]>>;
  readonly shared: Pick<RunningForm, 'ca' | 'dataDirectory'>;
}

async function withGateway(form: Distributed, needs: GatewayNeeds): Promise<RunningForm> {
  const { gateway, called, storage, started, shared } = needs;
  const addresses = calledServices.map(async service => {
    const flags = called[service];
    if (flags === undefined) return [];
    const key = [service, ...flags].join(' ');
    const starting = started.get(key) ?? addServices(form, service, flags);
    started.set(key, starting);
    return [`--${service}-addresses=${(await starting).join(',')}`];
  });
  const own = (await Promise.all(addresses)).flat();
  if (storage !== undefined)
    for (const name of ['storage-1', 'storage-2']) await form.restartWith(name, ...storage);
  const { url, process } = await form.addGateway(...gateway, ...own);
  return {
    gateways: [url],
    processes: [process],
    ...shared,
    withFlags: () => undefined,
    [Symbol.asyncDispose]: () => process.stop(),
  };
}

function addServices(
  form: Distributed,
  service: CalledService,
  flags: readonly string[],
): Promise<readonly string[]> {
  return Promise.all([1, 2].map(() => form.addService(service, ...flags)));
}

function argumentsFrom(flags: Readonly<Record<string, string>>): Partial<Record<ServiceName, string[]>> {
  const all: Partial<Record<ServiceName, string[]>> = {};
  for (const [name, value] of Object.entries(flags)) {
    for (const service of servicesOfFlag[name] ?? ['gateway'])
      all[service] = [...(all[service] ?? []), `--${name}=${value}`];
  }
  return all;
}
