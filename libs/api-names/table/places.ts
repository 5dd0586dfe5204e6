import type { NameTable } from './name-table.ts';

/** Namespaces that belong to the API itself, besides `default`. */
export const namespaceTable = {
  /** Leases of nodes. */
  nodeLease: ['cluster-node-lease', 'kube-node-lease'],
  /** The namespace that every user may read. */
  public: ['cluster-public', 'kube-public'],
  /** The namespace of the API and its components. */
  system: ['cluster-system', 'kube-system'],
} as const satisfies NameTable;

/** Components that run beside the API, by the names that they have for themselves; their locks and accounts are called like them. */
export const componentTable = {
  apiserver: ['cluster-apiserver', 'kube-apiserver'],
  controllerManager: ['kube-controller-manager', 'kube-controller-manager'],
  dns: ['kube-dns', 'kube-dns'],
  scheduler: ['kube-scheduler', 'kube-scheduler'],
} as const satisfies NameTable;

/** Objects that the server makes. */
export const objectTable = {
  /** The Service of the API in `default`, with its Endpoints and EndpointSlices. */
  apiService: ['cluster', 'kubernetes'],
  /** The lease of the controllers that run beside the API. */
  controllerLease: ['controller-manager', 'binnacle-controller-manager'],
  /** The flow schema of the service accounts of the system's namespace. */
  systemAccountsFlow: ['kube-system-service-accounts', 'kube-system-service-accounts'],
} as const satisfies NameTable;

/** Default roles of components, with bindings of the same names; those of users are called like them. */
export const roleTable = {
  aggregator: ['system:cluster-aggregator', 'system:kube-aggregator'],
  dns: ['system:cluster-dns', 'system:kube-dns'],
} as const satisfies NameTable;

/** Users of Kubernetes' components. The controller manager has one name: under `cluster` the other is that of the controllers of this project. */
export const userTable = {
  controllerManager: ['system:kube-controller-manager', 'system:kube-controller-manager'],
  nodeProxier: ['system:cluster-proxy', 'system:kube-proxy'],
  scheduler: ['system:cluster-scheduler', 'system:kube-scheduler'],
} as const satisfies NameTable;

/** Users that the services of this project are. Kubernetes' controller manager has other rights, and is another user. */
export const serviceUserTable = {
  controllerManager: ['system:cluster-controller-manager', 'system:binnacle-controller-manager'],
} as const satisfies NameTable;

/** Attributes of users. */
export const userExtraTable = {
  podName: ['authentication.cluster.io/pod-name', 'authentication.kubernetes.io/pod-name'],
  podUid: ['authentication.cluster.io/pod-uid', 'authentication.kubernetes.io/pod-uid'],
} as const satisfies NameTable;

/** The names in tokens of service accounts, and the files where pods find them. */
export const tokenTable = {
  /** The claim that names what a token is bound to. */
  bindingClaim: ['cluster.io', 'kubernetes.io'],
  /** Where pods find them. */
  mountPath: ['/var/run/secrets/cluster.io/serviceaccount', '/var/run/secrets/kubernetes.io/serviceaccount'],
  /** The issuer of tokens, where none is configured. */
  issuer: ['https://binnacle.local', 'https://kubernetes.default.svc.cluster.local'],
  /** The issuer of tokens that Secrets hold, and the beginning of their other claims. */
  secretIssuer: ['cluster.io/serviceaccount', 'kubernetes/serviceaccount'],
  secretClaims: ['cluster.io/serviceaccount/', 'kubernetes.io/serviceaccount/'],
} as const satisfies NameTable;

/** Variables of the environment. */
export const variableTable = {
  /** The variable that an exec plugin reads its input from. */
  execInfo: ['CLUSTER_EXEC_INFO', 'KUBERNETES_EXEC_INFO'],
} as const satisfies NameTable;
