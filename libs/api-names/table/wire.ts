import type { NameTable } from './name-table.ts';

/** Schema extensions, used in JSONSchemaProps and in OpenAPI documents. */
export const extensionTable = {
  embeddedType: ['x-cluster-embedded-type', 'x-kubernetes-embedded-resource'],
  intOrString: ['x-cluster-int-or-string', 'x-kubernetes-int-or-string'],
  listMapKeys: ['x-cluster-list-map-keys', 'x-kubernetes-list-map-keys'],
  listType: ['x-cluster-list-type', 'x-kubernetes-list-type'],
  mapType: ['x-cluster-map-type', 'x-kubernetes-map-type'],
  preserveUnknownFields: ['x-cluster-preserve-unknown-fields', 'x-kubernetes-preserve-unknown-fields'],
  validations: ['x-cluster-validations', 'x-kubernetes-validations'],
} as const satisfies NameTable;

/** Extensions of OpenAPI documents only. */
export const documentExtensionTable = {
  action: ['x-cluster-action', 'x-kubernetes-action'],
  groupVersionKind: ['x-cluster-group-version-kind', 'x-kubernetes-group-version-kind'],
  patchMergeKey: ['x-cluster-patch-merge-key', 'x-kubernetes-patch-merge-key'],
  patchStrategy: ['x-cluster-patch-strategy', 'x-kubernetes-patch-strategy'],
} as const satisfies NameTable;

export const mediaTypeTable = {
  protobuf: ['application/vnd.cluster.protobuf', 'application/vnd.kubernetes.protobuf'],
} as const satisfies NameTable;

/** Headers and WebSocket subprotocols. */
export const protocolTable = {
  /** Prefix of the WebSocket subprotocol that carries a bearer token. */
  tokenProtocol: ['base64url.bearer.authorization.cluster.io.', 'base64url.bearer.authorization.k8s.io.'],
} as const satisfies NameTable;

/** Prefixes of the names of published schemas, by message package; `api` for all other packages. */
export const schemaTable = {
  api: ['io.cluster.api.', 'io.k8s.api.'],
  apiextensions: ['io.cluster.api.apiextensions', 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions'],
  apiregistration: ['io.cluster.api.apiregistration', 'io.k8s.kube-aggregator.pkg.apis.apiregistration'],
  intstr: ['io.cluster.api.intstr', 'io.k8s.apimachinery.pkg.util.intstr'],
  meta: ['io.cluster.api.meta', 'io.k8s.apimachinery.pkg.apis.meta'],
  resource: ['io.cluster.api.resource', 'io.k8s.apimachinery.pkg.api.resource'],
  runtime: ['io.cluster.api.runtime', 'io.k8s.apimachinery.pkg.runtime'],
  version: ['io.cluster.api.version', 'io.k8s.apimachinery.pkg.version'],
} as const satisfies NameTable;
