/** A request for a resource, as its method, path and query say, before it is known whether there is such a resource. */
export interface ResourceTarget {
  readonly kind: 'resource';
  /** One of the API's verbs; the method in lower case where the API has none for it (`options`). */
  readonly verb: string;
  readonly path: string;
  /** The group as the client wrote it. */
  readonly group: string;
  /** The canonical group name. */
  readonly canonicalGroup: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  /** The namespace of the path; for a namespace itself its own name, so that its roles apply to it. */
  readonly namespace: string;
  readonly name: string;
  /** The name that authorization is about: `name`, or the one that a collection's field selector asks for. */
  readonly requestedName: string;
  /** Whether the path goes through `namespaces/<namespace>/`. */
  readonly inNamespace: boolean;
  /** Whether segments are left that no resource path has. */
  readonly excess: boolean;
}

/** Whether a request is passed on to what an object stands for; any method and any path below are then allowed. */
export function isProxied(target: RequestTarget): boolean {
  return target.kind === 'resource' && target.canonicalGroup === '' && target.subresource === 'proxy';
}

/** The target of a request: a resource, or a path of the server itself. */
export type RequestTarget =
  | ResourceTarget
  | {
      readonly kind: 'path';
      /** The method in lower case. */
      readonly verb: string;
      readonly path: string;
    };

/** Whether a path is one of a health endpoint. */
export function isHealthPath(path: string): boolean {
  return /^\/(healthz|livez|readyz)(\/|$)/.test(path);
}
