import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '@binnacle/backends';
import { type Distributed, startDistributed } from '@binnacle/compose';
import type { ServiceName } from '@binnacle/compose/testing';
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

/** A distributed form that runs, and the way to each of its processes. */
interface RunningDistributedForm extends RunningForm {
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
  return {
    distributed: form,
    gateways: form.gateways,
    processes: form.gateways.map((_, index) => form.process(`gateway-${index + 1}`)),
    ca,
    dataDirectory,
    withFlags: other => withGateway(form, { ca, dataDirectory }, argumentsFrom(other)),
    [Symbol.asyncDispose]: () => form.stop(),
  };
}

function withGateway(
  form: Distributed,
  shared: Pick<RunningForm, 'ca' | 'dataDirectory'>,
  { gateway = [], ...others }: Partial<Record<ServiceName, string[]>>,
): Promise<RunningForm> | undefined {
  if (Object.keys(others).length > 0) return undefined;
  return form.addGateway(...gateway).then(({ url, process }) => ({
    gateways: [url],
    processes: [process],
    ...shared,
    withFlags: () => undefined,
    [Symbol.asyncDispose]: () => process.stop(),
  }));
}

function argumentsFrom(flags: Readonly<Record<string, string>>): Partial<Record<ServiceName, string[]>> {
  const all: Partial<Record<ServiceName, string[]>> = {};
  for (const [name, value] of Object.entries(flags)) {
    for (const service of servicesOfFlag[name] ?? ['gateway'])
      all[service] = [...(all[service] ?? []), `--${name}=${value}`];
  }
  return all;
}
