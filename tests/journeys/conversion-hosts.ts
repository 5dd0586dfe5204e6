import type { ServerResponse } from 'node:http';
import { isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import { createDefinition } from './custom-widget.ts';
import {
  startWebhooks,
  type WebhookBehaviour,
  type WebhookCall,
  type WebhookServer,
} from './webhook-server.ts';

/** How the webhook answers: as it should, or with what makes of it. */
export type Answering = 'well' | ((converted: JsonObject[], request: JsonObject) => JsonObject);

/** A conversion webhook for hosts, which a test can make answer otherwise. */
export interface HostConverter extends AsyncDisposable {
  readonly server: WebhookServer;
  answering: Answering;
  /** Resolves once a call has come that is held back; `release` lets all of them go. */
  hold(): { readonly arrived: () => number; release(): void };
  /** The conversion in a definition. */
  readonly conversion: JsonObject;
  /** The objects of each call, as `name version->version`. */
  conversions(): string[][];
}

const path = '/convert';

/** The service by which the webhook may be named: its certificate says so too. */
export const hookService = { namespace: 'default', name: 'hook', path: '/by-service' };

/** Starts a webhook that converts hosts: version v1 has `hostPort`, version v2 has `host` and `port`. */
export async function startHostConverter(): Promise<HostConverter> {
  let answering: Answering = 'well';
  let held: (() => void)[] | undefined;
  const behaviour: WebhookBehaviour = request => (response, review) => {
    const send = () => answer(response, review, { request, answering });
    if (held === undefined) send();
    else held.push(send);
  };
  const server = await startWebhooks({ [path]: behaviour, [hookService.path]: behaviour }, [
    'hook.default.svc',
  ]);
  const webhook = {
    clientConfig: { url: `${server.url}${path}`, caBundle: server.caBundle },
    conversionReviewVersions: ['v1'],
  };
  return {
    server,
    get answering() {
      return answering;
    },
    set answering(value) {
      answering = value;
    },
    hold() {
      const waiting: (() => void)[] = [];
      held = waiting;
      return {
        arrived: () => waiting.length,
        release() {
          held = undefined;
          for (const send of waiting.splice(0)) send();
        },
      };
    },
    conversion: { strategy: 'Webhook', webhook },
    conversions: () => server.calls.map(describe),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** A definition of hosts, cluster-wide or not, in two versions that a webhook converts; v1 is the stored one. */
export function createHosts(group: string, { conversion }: HostConverter, stored = 'v1') {
  const text = { type: 'string' };
  const integer = { type: 'integer' };
  const schemas: Record<string, JsonObject> = {
    v1: { hostPort: text, replicas: integer, zone: { ...text, default: 'here' } },
    v2: { host: text, port: text, replicas: integer, zone: text },
  };
  const definition = createDefinition(
    'hosts',
    'Host',
    {},
    {
      group,
      versions: Object.entries(schemas).map(([name, properties]) => ({
        name,
        served: true,
        storage: name === stored,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties },
              status: { type: 'object', properties: { phase: text, replicas: integer } },
            },
          },
        },
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
        additionalPrinterColumns: [
          { name: 'Where', type: 'string', jsonPath: name === 'v1' ? '.spec.hostPort' : '.spec.host' },
        ],
      })),
    },
  );
  return { ...definition, spec: { ...definition.spec, conversion } };
}

function answer(
  response: ServerResponse,
  { kind = null, apiVersion = null }: JsonObject,
  { request, answering }: { readonly request: JsonObject; readonly answering: Answering },
): void {
  const { uid = null, desiredAPIVersion = '', objects } = request;
  const converted = filterObjects(objects).map(object => hostIn(String(desiredAPIVersion), object));
  const good = { uid, result: { status: 'Success' }, convertedObjects: converted };
  const given = answering === 'well' ? good : { ...good, ...answering(converted, request) };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ kind, apiVersion, response: given }));
}

function hostIn(apiVersion: string, object: JsonObject): JsonObject {
  const spec = isJsonObject(object['spec']) ? object['spec'] : undefined;
  if (spec === undefined) return { ...object, apiVersion };
  const { hostPort, host, port, ...rest } = spec;
  if (apiVersion.endsWith('/v1')) {
    const both = host === undefined ? {} : { hostPort: `${host}:${port ?? 80}` };
    return { ...object, apiVersion, spec: { ...rest, ...both } };
  }
  if (hostPort === undefined) return { ...object, apiVersion, spec: rest };
  const [name = '', number = ''] = String(hostPort).split(':');
  return { ...object, apiVersion, spec: { ...rest, host: name, port: number } };
}

function describe({ request }: WebhookCall): string[] {
  const to = String(request['desiredAPIVersion']).split('/')[1];
  return filterObjects(request['objects']).map(({ apiVersion, metadata }) => {
    const name = isJsonObject(metadata) ? (metadata['name'] ?? '') : '';
    return `${name} ${String(apiVersion).split('/')[1]}->${to}`;
  });
}

function filterObjects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
