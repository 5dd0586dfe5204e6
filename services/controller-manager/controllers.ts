import type { ApiObject } from '@binnacle/api-objects';
import { type ApiClient, Informer } from '@binnacle/client';
import { untilAborted } from '@binnacle/event-loop';
import { FailureLog, type Logger } from '@binnacle/telemetry';
import { runBootstrapControllers } from './bootstrap-tokens/run-bootstrap-controllers.ts';
import { runDefinitionControllers } from './custom-definitions/run-definition-controllers.ts';
import { runEndpointControllers } from './endpoints/run-endpoint-controllers.ts';
import type { GarbageMetrics } from './garbage-collector/garbage-metrics.ts';
import { runGarbageCollector } from './garbage-collector/run-garbage-collector.ts';
import { createNamespaceApi } from './namespace-deletion/namespace-api.ts';
import { reconcileNamespace } from './namespace-deletion/reconcile-namespace.ts';
import { runQuotaController } from './resource-quota/run-quota-controller.ts';
import { clusterRolesPath, reconcileAggregation } from './role-aggregation/reconcile-aggregation.ts';
import { runRootCaPublisher } from './root-ca/run-root-ca-publisher.ts';
import type { ControllerName } from './selection/chosen-controllers.ts';
import type { AccountFiles } from './service-accounts/read-account-files.ts';
import {
  defaultServiceAccount,
  reconcileServiceAccount,
} from './service-accounts/reconcile-service-account.ts';
import { runTokenController } from './service-accounts/run-token-controller.ts';
import { runStorageProtection } from './storage-protection/run-storage-protection.ts';
import { WorkQueue, type WorkQueueOptions } from './work-queue/work-queue.ts';

/** Options of the controllers. */
interface ControllersOptions {
  readonly client: ApiClient;
  readonly log: Logger;
  readonly clock: () => number;
  readonly onError: (controller: string) => void;
  /** The controllers that run. The controllers of definitions run in any case: without them no custom type is served. */
  readonly controllers: ReadonlySet<ControllerName>;
  /** The key for tokens of Secrets, and the certificate authority to publish; controllers without theirs do not run. */
  readonly accountFiles: AccountFiles;
  /** Options of the garbage collector; undefined: it does not run. */
  readonly garbageCollector: { readonly concurrency: number; readonly metrics: GarbageMetrics } | undefined;
}

/** The longest time between passes over a namespace whose content waits for finalizers. */
const longestNamespaceRetryMs = 5000;

/** Runs the controllers until the signal aborts. */
export async function runControllers(options: ControllersOptions, signal: AbortSignal): Promise<void> {
  const { client, clock, controllers } = options;
  const parts = { client, onError: passError(options), controllers };
  await Promise.all([
    runDefinitionControllers({ client, clock, onError: passError(options) }, signal),
    runNamespaceControllers(options, signal),
    controllers.has('clusterrole-aggregation') && runRoleAggregation(options, signal),
    controllers.has('garbagecollector') && collectGarbage(options, signal),
    controllers.has('resourcequota') && runQuotaController(parts, signal),
    runStorageProtection(parts, signal),
    runEndpointControllers(parts, signal),
    runAccountControllers(options, signal),
    runBootstrapControllers({ ...parts, clock }, signal),
  ]);
}

/**
 * Runs the controllers of accounts: those of their tokens, and of the certificate authority by which they verify the server. With another
 * authority they begin anew, which brings it into every namespace.
 */
async function runAccountControllers(options: ControllersOptions, signal: AbortSignal): Promise<void> {
  const { client, controllers, accountFiles, log } = options;
  const { signToken } = accountFiles;
  const fillsTokens = controllers.has('serviceaccount-token');
  if (fillsTokens && signToken === undefined)
    log.warn('secrets of service accounts get no token: --service-account-private-key-file is not set');
  let isRenewed: boolean;
  do {
    const { rootCa } = accountFiles;
    const renewal = new AbortController();
    const lookAt = () => accountFiles.rootCa !== rootCa && renewal.abort();
    const ending = AbortSignal.any([signal, renewal.signal]);
    accountFiles.changes.addEventListener('change', lookAt, { signal: ending });
    const parts = { client, rootCa, onError: passError(options) };
    await Promise.all([
      fillsTokens && signToken && runTokenController({ ...parts, signToken }, ending),
      controllers.has('root-ca-cert-publisher') && rootCa !== '' && runRootCaPublisher(parts, ending),
    ]);
    isRenewed = renewal.signal.aborted && !signal.aborted;
  } while (isRenewed);
}

/** Runs the controllers of namespaces: one empties those that are deleted, the other creates their default service account. */
async function runNamespaceControllers(options: ControllersOptions, signal: AbortSignal): Promise<void> {
  const { client, clock, controllers } = options;
  const [deletes, makesAccounts] = [controllers.has('namespace'), controllers.has('serviceaccount')];
  if (!deletes && !makesAccounts) return;
  const namespaceApi = createNamespaceApi(client);
  const deletion = queue(options, 'namespace', name => reconcileNamespace(name, namespaceApi, clock), {
    longestRetryMs: longestNamespaceRetryMs,
  });
  const accounts = queue(options, 'serviceaccount', (name, stop) =>
    reconcileServiceAccount(namespaces.get('', name), client, stop),
  );
  const namespaces = new Informer({
    client,
    path: '/api/v1/namespaces',
    signal,
    onChange: namespace => {
      const { name = '', deletionTimestamp } = namespace.metadata;
      if (deletionTimestamp) {
        if (deletes) deletion.add(name);
      } else if (makesAccounts) accounts.add(name);
    },
    onDelete: () => {},
    onError: informerError(options, 'namespaces'),
  });
  const serviceAccounts = new Informer({
    client,
    path: '/api/v1/serviceaccounts',
    signal,
    onChange: () => {},
    onDelete: account => {
      if (isDefaultAccount(account)) accounts.add(account.metadata.namespace ?? '');
    },
    onError: informerError(options, 'serviceaccounts'),
  });
  await Promise.all([
    namespaces.run(),
    deletes && deletion.run(signal),
    makesAccounts && Promise.all([serviceAccounts.run(), accounts.run(signal)]),
  ]);
}

async function collectGarbage(
  { garbageCollector, ...options }: ControllersOptions,
  signal: AbortSignal,
): Promise<void> {
  if (garbageCollector !== undefined) await runGarbageCollector({ ...options, ...garbageCollector }, signal);
}

/** The key of all roles in the queue: one pass covers them all, however many change at once. */
const allRoles = 'clusterroles';

/** Runs the aggregation of roles. It writes only once every role is known: it would remove the permissions of unknown ones. */
async function runRoleAggregation(options: ControllersOptions, signal: AbortSignal): Promise<void> {
  const aggregation = queue(options, 'clusterrole-aggregation', (_key, stop) =>
    reconcileAggregation([...clusterRoles.objects()], options.client, stop),
  );
  const recheck = (): void => aggregation.add(allRoles);
  const clusterRoles = new Informer({
    client: options.client,
    path: clusterRolesPath,
    signal,
    onChange: recheck,
    onDelete: recheck,
    onError: informerError(options, 'clusterroles'),
  });
  const known = Promise.race([clusterRoles.synced, untilAborted(signal)]);
  await Promise.all([clusterRoles.run(), known.then(() => aggregation.run(signal))]);
}

function isDefaultAccount(account: ApiObject): boolean {
  return account.metadata.name === defaultServiceAccount;
}

function queue(
  { log, onError }: ControllersOptions,
  controller: string,
  reconcile: WorkQueueOptions['reconcile'],
  more: Pick<WorkQueueOptions, 'longestRetryMs'> = {},
): WorkQueue {
  return new WorkQueue({
    ...more,
    concurrency: 4,
    reconcile,
    onError: (key, error) => {
      onError(controller);
      log.warn('a controller pass failed, retrying', { controller, key, error });
    },
  });
}

function passError({ log, onError }: ControllersOptions) {
  return (controller: string, key: string, error: unknown): void => {
    onError(controller);
    log.warn('a controller pass failed, retrying', { controller, key, error });
  };
}

function informerError({ log, onError }: ControllersOptions, resource: string): (error: unknown) => void {
  const failures = new FailureLog({ log, failed: 'a list or watch failed, retrying' });
  return error => {
    onError(`${resource}-informer`);
    failures.failed(error, { resource });
  };
}
