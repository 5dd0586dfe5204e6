import type { NameTable } from './name-table.ts';

/** System namespaces besides `default`. */
export const namespaceTable = {
  /** Contains the leases of nodes. */
  nodeLease: ['cluster-node-lease', 'kube-node-lease'],
  /** Readable by all users. */
  public: ['cluster-public', 'kube-public'],
  /** Contains the control plane components. */
  system: ['cluster-system', 'kube-system'],
} as const satisfies NameTable;

/** Control plane components by their own names, which are also those of their leader election leases and service accounts. */
export const componentTable = {
  apiserver: ['cluster-apiserver', 'kube-apiserver'],
  controllerManager: ['kube-controller-manager', 'kube-controller-manager'],
  dns: ['kube-dns', 'kube-dns'],
  scheduler: ['kube-scheduler', 'kube-scheduler'],
} as const satisfies NameTable;

/** Objects that the server creates. */
export const objectTable = {
  /** The Service of the API server in `default`, with its Endpoints and EndpointSlices. */
  apiService: ['cluster', 'kubernetes'],
  /** The leader election lease of this project's controller manager. */
  controllerLease: ['controller-manager', 'binnacle-controller-manager'],
  /** The flow schema of the service accounts of the system namespace. */
  systemAccountsFlow: ['kube-system-service-accounts', 'kube-system-service-accounts'],
} as const satisfies NameTable;

/** Default roles of components, with bindings of the same names; roles of users have the names of the users. */
export const roleTable = {
  aggregator: ['system:cluster-aggregator', 'system:kube-aggregator'],
  dns: ['system:cluster-dns', 'system:kube-dns'],
} as const satisfies NameTable;

/**
 * Users of Kubernetes' components. The controller manager has one name, since under `cluster` the other one belongs to this
 * project's controller manager.
 */
export const userTable = {
  controllerManager: ['system:kube-controller-manager', 'system:kube-controller-manager'],
  nodeProxier: ['system:cluster-proxy', 'system:kube-proxy'],
  scheduler: ['system:cluster-scheduler', 'system:kube-scheduler'],
} as const satisfies NameTable;

/** Users of this project's services. Kubernetes' controller manager has other permissions and is a different user. */
export const serviceUserTable = {
  controllerManager: ['system:cluster-controller-manager', 'system:binnacle-controller-manager'],
} as const satisfies NameTable;

/** Keys of user extra attributes. */
export const userExtraTable = {
  podName: ['authentication.cluster.io/pod-name', 'authentication.kubernetes.io/pod-name'],
  podUid: ['authentication.cluster.io/pod-uid', 'authentication.kubernetes.io/pod-uid'],
} as const satisfies NameTable;

/** Names in service account tokens, and the path of the token files in pods. */
export const tokenTable = {
  /** The private claim of a token's bound objects. */
  bindingClaim: ['cluster.io', 'kubernetes.io'],
  /** The directory of the token files in pods. */
  mountPath: ['/var/run/secrets/cluster.io/serviceaccount', '/var/run/secrets/kubernetes.io/serviceaccount'],
  /** The default issuer of tokens. */
  issuer: ['https://binnacle.local', 'https://kubernetes.default.svc.cluster.local'],
  /** The issuer of tokens in Secrets, and the prefix of their private claims. */
  secretIssuer: ['cluster.io/serviceaccount', 'kubernetes/serviceaccount'],
  secretClaims: ['cluster.io/serviceaccount/', 'kubernetes.io/serviceaccount/'],
} as const satisfies NameTable;

/** Environment variables. */
export const variableTable = {
  /** The variable from which an exec credential plugin reads its input. */
  execInfo: ['CLUSTER_EXEC_INFO', 'KUBERNETES_EXEC_INFO'],
} as const satisfies NameTable;
