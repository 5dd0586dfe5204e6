import type { NameTable } from './name-table.ts';

/** Secret types. */
export const secretTypeTable = {
  basicAuth: ['cluster.io/basic-auth', 'kubernetes.io/basic-auth'],
  bootstrapToken: ['bootstrap.cluster.io/token', 'bootstrap.kubernetes.io/token'],
  dockerConfig: ['cluster.io/dockercfg', 'kubernetes.io/dockercfg'],
  dockerConfigJson: ['cluster.io/dockerconfigjson', 'kubernetes.io/dockerconfigjson'],
  serviceAccountToken: ['cluster.io/service-account-token', 'kubernetes.io/service-account-token'],
  sshAuth: ['cluster.io/ssh-auth', 'kubernetes.io/ssh-auth'],
  tls: ['cluster.io/tls', 'kubernetes.io/tls'],
} as const satisfies NameTable;

/** Signers of CertificateSigningRequests. */
export const signerTable = {
  kubeApiserverClient: ['cluster.io/kube-apiserver-client', 'kubernetes.io/kube-apiserver-client'],
  kubeApiserverClientKubelet: [
    'cluster.io/kube-apiserver-client-kubelet',
    'kubernetes.io/kube-apiserver-client-kubelet',
  ],
  kubeletServing: ['cluster.io/kubelet-serving', 'kubernetes.io/kubelet-serving'],
  legacyUnknown: ['cluster.io/legacy-unknown', 'kubernetes.io/legacy-unknown'],
} as const satisfies NameTable;

/** Domains of names whose other parts vary, without a dot or slash. */
export const domainTable = {
  /** Domain of API groups. */
  groups: ['cluster.io', 'k8s.io'],
  /** Domain of labels, annotations, extended resources, signers and Secret types. */
  labels: ['cluster.io', 'kubernetes.io'],
} as const satisfies NameTable;

/** Other values in objects. */
export const wordTable = {
  /** Value of the managed-by label of EndpointSlices of Services. */
  sliceManager: ['endpointslice-controller.cluster.io', 'endpointslice-controller.k8s.io'],
  /** The middle part of the resource names of a StorageClass quota. */
  storageClassQuota: ['.storageclass.storage.cluster.io/', '.storageclass.storage.k8s.io/'],
} as const satisfies NameTable;
