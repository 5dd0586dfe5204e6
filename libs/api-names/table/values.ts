import type { NameTable } from './name-table.ts';

/** Types of Secrets. */
export const secretTypeTable = {
  basicAuth: ['cluster.io/basic-auth', 'kubernetes.io/basic-auth'],
  bootstrapToken: ['bootstrap.cluster.io/token', 'bootstrap.kubernetes.io/token'],
  dockerConfig: ['cluster.io/dockercfg', 'kubernetes.io/dockercfg'],
  dockerConfigJson: ['cluster.io/dockerconfigjson', 'kubernetes.io/dockerconfigjson'],
  serviceAccountToken: ['cluster.io/service-account-token', 'kubernetes.io/service-account-token'],
  sshAuth: ['cluster.io/ssh-auth', 'kubernetes.io/ssh-auth'],
  tls: ['cluster.io/tls', 'kubernetes.io/tls'],
} as const satisfies NameTable;

/** Signers of certificate requests. */
export const signerTable = {
  kubeApiserverClient: ['cluster.io/kube-apiserver-client', 'kubernetes.io/kube-apiserver-client'],
  kubeApiserverClientKubelet: [
    'cluster.io/kube-apiserver-client-kubelet',
    'kubernetes.io/kube-apiserver-client-kubelet',
  ],
  kubeletServing: ['cluster.io/kubelet-serving', 'kubernetes.io/kubelet-serving'],
  legacyUnknown: ['cluster.io/legacy-unknown', 'kubernetes.io/legacy-unknown'],
} as const satisfies NameTable;

/** Domains of names whose other parts the code does not know, without a dot or slash. */
export const domainTable = {
  /** Of groups. */
  groups: ['cluster.io', 'k8s.io'],
  /** Of labels, annotations, resources, signers and types. */
  labels: ['cluster.io', 'kubernetes.io'],
} as const satisfies NameTable;

/** Other words in objects. */
export const wordTable = {
  /** The controller of EndpointSlices of Services, as the value of that label. */
  sliceManager: ['endpointslice-controller.cluster.io', 'endpointslice-controller.k8s.io'],
  /** The storage class in the middle of the name of a resource that a quota limits. */
  storageClassQuota: ['.storageclass.storage.cluster.io/', '.storageclass.storage.k8s.io/'],
} as const satisfies NameTable;
