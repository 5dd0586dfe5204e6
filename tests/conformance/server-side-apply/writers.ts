import type { JsonObject } from '@binnacle/api-objects';
import { type Answer, at, type ConformanceServer, type User } from '../drivers/conformance-server.ts';

/** The parts of a write besides its object. */
interface WriteOptions {
  /** Parameters besides `fieldManager`: `force=true`. */
  readonly query?: string;
  readonly subresource?: string;
  readonly user?: User;
  readonly gateway?: number;
}

/** A patch of an object by its media type. */
export interface Patch extends WriteOptions {
  readonly type: 'json-patch' | 'merge-patch' | 'strategic-merge-patch';
  readonly body: unknown;
}

/**
 * Writes under the names of field managers to objects of one namespace. The object tells where it is; only `try…`
 * takes answers other than success.
 */
interface Writers {
  readonly namespace: string;
  /** The path of an object. */
  pathFromObject(object: JsonObject): string;
  create(manager: string, object: JsonObject): Promise<Answer>;
  update(manager: string, object: JsonObject, options?: WriteOptions): Promise<Answer>;
  patch(manager: string, object: JsonObject, patch: Patch): Promise<Answer>;
  apply(manager: string, object: JsonObject, options?: WriteOptions): Promise<Answer>;
  tryApply(manager: string, object: JsonObject, options?: WriteOptions): Promise<Answer>;
  read(object: JsonObject): Promise<Answer>;
}

/** The media type of apply. */
export const applyType = 'application/apply-patch+yaml';

/** Writers for a namespace of their own. */
export async function createWriters(server: ConformanceServer): Promise<Writers> {
  const namespace = await server.namespace();
  const pathFromObject = (object: JsonObject) =>
    `${collectionPath(namespace, object)}/${at(object, 'metadata', 'name')}`;
  const target = (manager: string, object: JsonObject, { query = '', subresource }: WriteOptions = {}) =>
    `${pathFromObject(object)}${subresource ? `/${subresource}` : ''}?fieldManager=${manager}&${query}`;
  const tryApply: Writers['tryApply'] = (manager, object, options = {}) => {
    const { user = 'admin', gateway } = options;
    const to = gateway === undefined ? {} : { gateway };
    const sent = { body: object, contentType: applyType, user, ...to };
    return server.request('PATCH', target(manager, object, options), sent);
  };
  return {
    namespace,
    pathFromObject,
    create: (manager, object) =>
      server.expect(201, 'POST', `${collectionPath(namespace, object)}?fieldManager=${manager}`, {
        body: object,
      }),
    update: (manager, object, options) =>
      server.expect(200, 'PUT', target(manager, object, options), { body: object }),
    patch: (manager, object, patch) =>
      server.expect(200, 'PATCH', target(manager, object, patch), {
        body: patch.body,
        contentType: `application/${patch.type}+json`,
      }),
    async apply(manager, object, options) {
      const answer = await tryApply(manager, object, options);
      if (answer.code !== 200 && answer.code !== 201)
        throw new Error(`${manager} applies ${JSON.stringify(object)}: ${answer.code} ${answer.text}`);
      return answer;
    },
    tryApply,
    read: object => server.expect(200, 'GET', pathFromObject(object)),
  };
}

/** A config map, or an apply configuration of one. */
export function configMap(
  name: string,
  data?: Readonly<Record<string, string>>,
  metadata: JsonObject = {},
): JsonObject {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata } };
  return data === undefined ? object : { ...object, data: { ...data } };
}

/** A service, or an apply configuration of one. */
export function service(name: string, spec: JsonObject): JsonObject {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec };
}

/** A deployment, or an apply configuration of its pods' containers and of itself. */
export function deployment(name: string, containers: JsonObject[], spec: JsonObject = {}): JsonObject {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      ...spec,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
    },
  };
}

function collectionPath(namespace: string, { apiVersion, kind }: JsonObject): string {
  const group = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
  return `${group}/namespaces/${namespace}/${pluralFromKind(String(kind).toLowerCase())}`;
}

function pluralFromKind(kind: string): string {
  if (kind === 'endpoints') return kind;
  if (kind.endsWith('y')) return `${kind.slice(0, -1)}ies`;
  return kind.endsWith('s') ? `${kind}es` : `${kind}s`;
}
