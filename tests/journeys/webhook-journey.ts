import assert from 'node:assert/strict';
import type { JsonObject } from '@binnacle/api-objects';
import type { StandaloneOptions } from '@binnacle/standalone/testing';
import { type AdminServer, startAdminServer } from './admin-server.ts';
import {
  startWebhooks,
  type WebhookBehaviour,
  type WebhookCall,
  type WebhookServer,
} from './webhook-server.ts';

/** A server with webhooks that it can be told to ask. */
export interface WebhookJourney extends AsyncDisposable {
  readonly server: AdminServer;
  readonly hooks: WebhookServer;
  /** One webhook for objects with the label `case`, so that webhooks of other tests do not meet them. */
  webhook(path: string, label: string, more?: JsonObject): JsonObject;
  /** Configures webhooks and waits until they are in effect; gives what ends them. */
  configure(kind: 'mutating' | 'validating', ...webhooks: JsonObject[]): Promise<AsyncDisposable>;
  /** The same, with the group of configurations by a name or an alias. */
  configureThrough(
    group: string,
    kind: 'mutating' | 'validating',
    ...webhooks: JsonObject[]
  ): Promise<AsyncDisposable>;
  /** Calls to a path since the last configuration of webhooks. */
  callsTo(path: string): readonly WebhookCall[];
}

/** The rule that webhooks have unless they say otherwise. */
export const configMapRule: JsonObject = {
  operations: ['*'],
  apiGroups: [''],
  apiVersions: ['v1'],
  resources: ['configmaps'],
};

/** The path of the configurations of a kind. */
export function configurationsPath(
  kind: 'mutating' | 'validating',
  group = 'admissionregistration.cluster.io',
): string {
  return `/apis/${group}/v1/${kind}webhookconfigurations`;
}

/** An answer that allows a write and changes its object. */
export function patched(...operations: JsonObject[]): JsonObject {
  const patch = Buffer.from(JSON.stringify(operations)).toString('base64');
  return { allowed: true, patchType: 'JSONPatch', patch };
}

/** How a server and its webhooks are started. */
interface JourneyOptions extends Partial<StandaloneOptions> {
  /** Names in the certificate of the webhooks, beside those of this machine. */
  readonly serverNames?: readonly string[];
  /** Options of the server that depend on the webhooks. */
  readonly prepare?: (hooks: WebhookServer) => Promise<Partial<StandaloneOptions>>;
}

/** Starts a server and webhooks, one for each path. */
export async function startWebhookJourney(
  behaviours: Readonly<Record<string, WebhookBehaviour>>,
  options: JourneyOptions = {},
): Promise<WebhookJourney> {
  await using stack = new AsyncDisposableStack();
  const { serverNames = [], prepare, ...standalone } = options;
  const probed = { '/probe': () => ({ allowed: false, status: { code: 418 } }), ...behaviours };
  const hooks = stack.use(await startWebhooks(probed, serverNames));
  const server = stack.use(await startAdminServer({ ...standalone, ...(await prepare?.(hooks)) }));
  let configured = 0;
  const webhook: WebhookJourney['webhook'] = (path, label, more = {}) => ({
    name: 'a.example.com',
    clientConfig: { url: hooks.url + path, caBundle: hooks.caBundle },
    rules: [configMapRule],
    objectSelector: { matchLabels: { case: label } },
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    timeoutSeconds: 5,
    ...more,
  });
  const started = stack.move();
  const running: WebhookJourney = {
    server,
    hooks,
    webhook,
    configure: (kind, ...webhooks) =>
      running.configureThrough('admissionregistration.cluster.io', kind, ...webhooks),
    async configureThrough(group, kind, ...webhooks) {
      configured++;
      const name = `test-${configured}`;
      const path = configurationsPath(kind, group);
      // The last webhook of the configuration denies a probe; until it does, the configuration is on its way.
      const probe = webhook('/probe', `probe-${configured}`, { name: 'probe.example.com' });
      await server.expect(201, 'POST', path, {
        body: { metadata: { name }, webhooks: [...webhooks, probe] },
      });
      await untilDenied(server, `probe-${configured}`);
      hooks.calls.length = 0;
      return {
        async [Symbol.asyncDispose]() {
          await server.expect(200, 'DELETE', `${path}/${name}`);
        },
      };
    },
    callsTo: path => hooks.calls.filter(call => call.path.startsWith(`${path}?`)),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
  return running;
}

async function untilDenied(server: AdminServer, label: string): Promise<void> {
  const body = { metadata: { name: 'probe', labels: { case: label } } };
  const path = '/api/v1/namespaces/default/configmaps?dryRun=All';
  for (let i = 0; (await server.send('POST', path, { body })).code !== 418; i++) {
    assert.ok(i < 600, 'the configuration does not take effect');
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}
