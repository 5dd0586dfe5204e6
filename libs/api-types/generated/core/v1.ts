// Written by `make generate` from the proto files. Change those.

import type { Condition, LabelSelector } from '../meta/v1.ts';
import type { JsonValue, ListMeta, ObjectMeta, OwnerReference } from '@binnacle/api-objects';

/** AWSElasticBlockStoreVolumeSource is a disk of Amazon Web Services. */
export type AWSElasticBlockStoreVolumeSource = {
  /** The identifier of the disk. */
  volumeID?: string;
  /** The file system on the volume; the driver's usual one when empty. */
  fsType?: string;
  /** The partition to mount; the whole disk for 0. */
  partition?: number;
  /** Mount without the right to write. */
  readOnly?: boolean;
};

/** Affinity says where a pod would like to run, or must. */
export type Affinity = {
  /** By properties of nodes. */
  nodeAffinity?: NodeAffinity;
  /** Near certain pods. */
  podAffinity?: PodAffinity;
  /** Away from certain pods. */
  podAntiAffinity?: PodAntiAffinity;
};

/** AttachedVolume describes one attached volume. */
export type AttachedVolume = {
  /** The name of the object. */
  name?: string;
  /** The device path. */
  devicePath?: string;
};

/** AvoidPods describes one avoid pods. */
export type AvoidPods = {
  /** The list of prefer avoid pods. */
  preferAvoidPods?: PreferAvoidPodsEntry[];
};

/** AzureDiskVolumeSource is a disk of Azure. */
export type AzureDiskVolumeSource = {
  /** The name of the disk. */
  diskName?: string;
  /** The address of the disk. */
  diskURI?: string;
  /** How the node caches the disk. */
  cachingMode?: 'None' | 'ReadOnly' | 'ReadWrite';
  /** The file system on the volume; the driver's usual one when empty. */
  fsType?: string;
  /** Mount without the right to write. */
  readOnly?: boolean;
  /** Which kind of disk it is. */
  kind?: 'Shared' | 'Dedicated' | 'Managed';
};

/** AzureFilePersistentVolumeSource describes one azure file persistent volume source. */
export type AzureFilePersistentVolumeSource = {
  /** The secret name. */
  secretName?: string;
  /** The share name. */
  shareName?: string;
  /** Mount without the right to write. */
  readOnly?: boolean;
  /** The secret namespace. */
  secretNamespace?: string;
};

/** AzureFileVolumeSource is a file share of Azure. */
export type AzureFileVolumeSource = {
  /** The secret with the account and its key. */
  secretName?: string;
  /** The name of the share. */
  shareName?: string;
  /** Mount without the right to write. */
  readOnly?: boolean;
};

/** Binding is an object of the core group. */
export type Binding = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The target. */
  target?: ObjectReference;
};

/** CSIPersistentVolumeSource describes one csipersistent volume source. */
export type CSIPersistentVolumeSource = {
  /** The driver. */
  driver?: string;
  /** The volume handle. */
  volumeHandle?: string;
  /** Mount without the right to write. */
  readOnly?: boolean;
  /** The file system on the volume; the driver's usual one when empty. */
  fsType?: string;
  /** The volume attributes, by key. */
  volumeAttributes?: { [key: string]: string };
  /** The controller publish secret ref. */
  controllerPublishSecretRef?: SecretReference;
  /** The node stage secret ref. */
  nodeStageSecretRef?: SecretReference;
  /** The node publish secret ref. */
  nodePublishSecretRef?: SecretReference;
  /** The controller expand secret ref. */
  controllerExpandSecretRef?: SecretReference;
  /** The node expand secret ref. */
  nodeExpandSecretRef?: SecretReference;
};

/** CSIVolumeSource is a volume that a CSI driver makes for one pod. */
export type CSIVolumeSource = {
  /** The name of the driver. */
  driver?: string;
  /** Mount without the right to write. */
  readOnly?: boolean;
  /** The file system on the volume; the driver's usual one when empty. */
  fsType?: string;
  /** Settings for the driver. */
  volumeAttributes?: { [key: string]: string };
  /** The secret with the credentials for the driver. */
  nodePublishSecretRef?: LocalObjectReference;
};

/** Capabilities are kernel rights of a container. */
export type Capabilities = {
  /** Rights to add. */
  add?: string[];
  /** Rights to take away. */
  drop?: string[];
};

/** CephFSPersistentVolumeSource describes one ceph fspersistent volume source. */
export type CephFSPersistentVolumeSource = {
  /** The list of monitors. */
  monitors?: string[] | null;
  /** The path. */
  path?: string;
  /** The user. */
  user?: string;
  /** The secret file. */
  secretFile?: string;
  /** The secret with the credentials for the mount. */
  secretRef?: SecretReference;
  /** Mount without the right to write. */
  readOnly?: boolean;
};

/** CephFSVolumeSource is a file system of Ceph. */
export type CephFSVolumeSource = {
  /** The addresses of the monitors. */
  monitors?: string[] | null;
  /** The directory to mount. */
  path?: string;
  /** The user to log in as. */
  user?: string;
  /** The file of the node with the key. */
  secretFile?: string;
  /** The secret with the credentials for the mount. */
  secretRef?: LocalObjectReference;
  /** Mount without the right to write. */
  readOnly?: boolean;
};

/** CinderPersistentVolumeSource describes one cinder persistent volume source. */
export type CinderPersistentVolumeSource = {
  /** The volume id. */
  volumeID?: string;
  /** The file system on the volume; the driver's usual one when empty. */
  fsType?: string;
  /** Mount without the right to write. */
  readOnly?: boolean;
  /** The secret with the credentials for the mount. */
  secretRef?: SecretReference;
};

/** CinderVolumeSource is a disk of OpenStack. */
export type CinderVolumeSource = {
  /** The identifier of the disk. */
  volumeID?: string;
  /** The file system on the volume; the driver's usual one when empty. */
  fsType?: string;
  /** Mount without the right to write. */
  readOnly?: boolean;
  /** The secret with the credentials for the mount. */
  secretRef?: LocalObjectReference;
};

/** ClaimSource says where a device claim is. */
export type ClaimSource = {
  /** An existing claim. */
  resourceClaimName?: string;
  /** The template from which a claim is made. */
  resourceClaimTemplateName?: string;
};

/** ClientIPConfig holds the settings of affinity by client address. */
export type ClientIPConfig = {
  /** How long a client is remembered, at most a day. */
  timeoutSeconds?: number;
};

/** ComponentCondition is one condition in the state of a component. */
export type ComponentCondition = {
  /** The type. */
  type?: string;
  /** The observed state, written by the system. */
  status?: string;
  /** Why, as a sentence for people. */
  message?: string;
  /** The error. */
  error?: string;
};

/** ComponentStatus is the observed state of a component. */
export type ComponentStatus = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** Aspects of the current state. */
  conditions?: ComponentCondition[];
};

/** ComponentStatusList is a list of ComponentStatus objects. */
export type ComponentStatusList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: ComponentStatus[] | null;
};

/** ConfigMap holds configuration for pods as keys with values. */
export type ConfigMap = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** Once true, the contents can no longer change, and neither can this. */
  immutable?: boolean;
  /** Text by key. A key consists of letters, digits, '-', '_' and '.'. */
  data?: { [key: string]: string };
  /** Bytes by key; no key stands in data as well. */
  binaryData?: { [key: string]: string };
};

/** ConfigMapEnvSource names a config map whose keys become variables. */
export type ConfigMapEnvSource = {
  /** The name of the object. */
  name?: string;
  /** Whether the object or its key may be missing. */
  optional?: boolean;
};

/** ConfigMapKeySelector names one key of a config map. */
export type ConfigMapKeySelector = {
  /** The name of the object. */
  name?: string;
  /** The key. */
  key?: string;
  /** Whether the object or its key may be missing. */
  optional?: boolean;
};

/** ConfigMapList is a list of ConfigMap objects. */
export type ConfigMapList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: ConfigMap[] | null;
};

/** ConfigMapNodeConfigSource describes one config map node config source. */
export type ConfigMapNodeConfigSource = {
  /** The namespace of the object. */
  namespace?: string;
  /** The name of the object. */
  name?: string;
  /** The unique identifier of the object. */
  uid?: string;
  /** The resource version. */
  resourceVersion?: string;
  /** The kubelet config key. */
  kubeletConfigKey?: string;
};

/** ConfigMapProjection shows keys of a config map. */
export type ConfigMapProjection = {
  /** The name of the object. */
  name?: string;
  /** The keys to show, and where; all when empty. */
  items?: KeyToPath[];
  /** Whether the object or its key may be missing. */
  optional?: boolean;
};

/** ConfigMapVolumeSource shows the keys of a config map as files. */
export type ConfigMapVolumeSource = {
  /** The name of the object. */
  name?: string;
  /** The keys to show, and where; all when empty. */
  items?: KeyToPath[];
  /** The permission bits of the files. */
  defaultMode?: number;
  /** Whether the object or its key may be missing. */
  optional?: boolean;
};

/** Container is one container of a pod. */
export type Container = {
  /** The name of the container, unique in the pod. */
  name?: string;
  /** The image to run. */
  image?: string;
  /** The program and its first arguments, in place of the image's entry point. */
  command?: string[];
  /** Arguments of the program, in place of the image's. */
  args?: string[];
  /** The directory in which the program starts. */
  workingDir?: string;
  /** Ports that the container listens on; for information, except for host ports. */
  ports?: ContainerPort[];
  /** Config maps and secrets whose keys become environment variables. */
  envFrom?: EnvFromSource[];
  /** Environment variables. */
  env?: EnvVar[];
  /** The resources that the container may use, and that it needs. */
  resources?: ResourceRequirements;
  /** Volumes mounted as directories. */
  volumeMounts?: VolumeMount[];
  /** Volumes attached as block devices. */
  volumeDevices?: VolumeDevice[];
  /** A check whose failure restarts the container. */
  livenessProbe?: Probe;
  /** A check whose failure takes the pod out of service. */
  readinessProbe?: Probe;
  /** A check that must succeed once before the others begin. */
  startupProbe?: Probe;
  /** Actions after the start and before the stop. */
  lifecycle?: Lifecycle;
  /** The file in which the program leaves a last message. */
  terminationMessagePath?: string;
  /** Where the last message is taken from. */
  terminationMessagePolicy?: 'File' | 'FallbackToLogsOnError';
  /** When the node asks the registry for the image. */
  imagePullPolicy?: 'Always' | 'Never' | 'IfNotPresent';
  /** Security settings of the container. */
  securityContext?: SecurityContext;
  /** Keep an input stream open. */
  stdin?: boolean;
  /** Close the input stream when the first client has left. */
  stdinOnce?: boolean;
  /** Give the container a terminal. */
  tty?: boolean;
};

/** ContainerImage describes one container image. */
export type ContainerImage = {
  /** The list of names. */
  names?: string[] | null;
  /** The size bytes. */
  sizeBytes?: number | bigint;
};

/** ContainerPort is a port that a container listens on. */
export type ContainerPort = {
  /** The name of the port, for services to refer to. */
  name?: string;
  /** The port of the node that leads here. */
  hostPort?: number;
  /** The port within the pod. */
  containerPort?: number;
  /** The transport protocol of the port. */
  protocol?: 'TCP' | 'UDP' | 'SCTP';
  /** The address of the node to bind the host port to. */
  hostIP?: string;
};

/** ContainerState is exactly one of waiting, running and terminated. */
export type ContainerState = {
  /** The container has not started yet. */
  waiting?: ContainerStateWaiting;
  /** The container runs. */
  running?: ContainerStateRunning;
  /** The container has ended. */
  terminated?: ContainerStateTerminated;
};

/** ContainerStateRunning is the state of a container that runs. */
export type ContainerStateRunning = {
  /** When it started. RFC 3339, in whole seconds. */
  startedAt?: string | null;
};

/** ContainerStateTerminated is the state of a container that has ended. */
export type ContainerStateTerminated = {
  /** The exit status of the program. */
  exitCode?: number;
  /** The signal that ended it. */
  signal?: number;
  /** Why, as one CamelCase word for programs. */
  reason?: string;
  /** Why, as a sentence for people. */
  message?: string;
  /** When it had started. RFC 3339, in whole seconds. */
  startedAt?: string | null;
  /** When it ended. RFC 3339, in whole seconds. */
  finishedAt?: string | null;
  /** The identifier at the runtime. */
  containerID?: string;
};

/** ContainerStateWaiting is the state of a container that has not started. */
export type ContainerStateWaiting = {
  /** Why, as one CamelCase word for programs. */
  reason?: string;
  /** Why, as a sentence for people. */
  message?: string;
};

/** ContainerStatus is the observed state of one container. */
export type ContainerStatus = {
  /** The container that this is about. */
  name?: string;
  /** The present state of the container. */
  state?: ContainerState;
  /** How it last ended. */
  lastState?: ContainerState;
  /** Whether its readiness check succeeds. */
  ready?: boolean;
  /** How often it was started again. */
  restartCount?: number;
  /** The image that runs. */
  image?: string;
  /** The exact identifier of the image. */
  imageID?: string;
  /** The identifier at the runtime. */
  containerID?: string;
  /** Whether the startup check has succeeded. */
  started?: boolean;
};

/** DaemonEndpoint describes one daemon endpoint. */
export type DaemonEndpoint = {
  /** The port. */
  Port?: number;
};

/** DownwardAPIProjection shows fields of the pod. */
export type DownwardAPIProjection = {
  /** The files. */
  items?: DownwardAPIVolumeFile[];
};

/** DownwardAPIVolumeFile is a file with a field of the pod. */
export type DownwardAPIVolumeFile = {
  /** The relative path of the file. */
  path?: string;
  /** The field of the pod. */
  fieldRef?: ObjectFieldSelector;
  /** The resource limit or request of a container. */
  resourceFieldRef?: ResourceFieldSelector;
  /** The permission bits of the file. */
  mode?: number;
};

/** DownwardAPIVolumeSource shows fields of the pod as files. */
export type DownwardAPIVolumeSource = {
  /** The files. */
  items?: DownwardAPIVolumeFile[];
  /** The permission bits of the files. */
  defaultMode?: number;
};

/** EmptyDirVolumeSource is a directory that lives as long as the pod. */
export type EmptyDirVolumeSource = {
  /** Memory for a file system in memory; the disk of the node when empty. */
  medium?: string;
  /** The most that it may hold. */
  sizeLimit?: string;
};

/** EndpointAddress is one address behind a service. */
export type EndpointAddress = {
  /** The IP address; not of the local host or link. */
  ip?: string;
  /** The host name of the endpoint. */
  hostname?: string;
  /** The node that hosts the endpoint. */
  nodeName?: string;
  /** The object behind the address. */
  targetRef?: ObjectReference;
};

/** EndpointPort is one port behind a service. */
export type EndpointPort = {
  /** The name of the service port that it belongs to. */
  name?: string;
  /** The port number. */
  port?: number;
  /** The transport protocol of the port. */
  protocol?: 'TCP' | 'UDP' | 'SCTP';
  /** The protocol spoken on the port, as a registered service name or with a domain prefix. */
  appProtocol?: string;
};

/** EndpointSubset is every combination of some addresses and some ports. */
export type EndpointSubset = {
  /** Addresses that take traffic. */
  addresses?: EndpointAddress[];
  /** Addresses that do not take traffic at the moment. */
  notReadyAddresses?: EndpointAddress[];
  /** Ports of all these addresses. */
  ports?: EndpointPort[];
};

/** Endpoints are the addresses and ports behind a service. */
export type Endpoints = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** Groups of addresses that share ports; all of them together are the endpoints. */
  subsets?: EndpointSubset[];
};

/** EndpointsList is a list of Endpoints objects. */
export type EndpointsList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: Endpoints[] | null;
};

/** EnvFromSource turns all keys of an object into variables. */
export type EnvFromSource = {
  /** Text put before every name. */
  prefix?: string;
  /** The config map. */
  configMapRef?: ConfigMapEnvSource;
  /** The secret. */
  secretRef?: SecretEnvSource;
};

/** EnvVar is an environment variable. */
export type EnvVar = {
  /** The name of the variable. */
  name?: string;
  /** The value; references $(NAME) to other variables are replaced. */
  value?: string;
  /** Where the value comes from, in place of value. */
  valueFrom?: EnvVarSource;
};

/** EnvVarSource is one place that a variable's value comes from. */
export type EnvVarSource = {
  /** A field of the pod. */
  fieldRef?: ObjectFieldSelector;
  /** A resource limit or request of the container. */
  resourceFieldRef?: ResourceFieldSelector;
  /** A key of a config map. */
  configMapKeyRef?: ConfigMapKeySelector;
  /** A key of a secret. */
  secretKeyRef?: SecretKeySelector;
};

/** EphemeralContainer is a container added to a running pod. */
export type EphemeralContainer = {
  /** The name of the container, unique in the pod. */
  name?: string;
  /** The image to run. */
  image?: string;
  /** The program and its first arguments, in place of the image's entry point. */
  command?: string[];
  /** Arguments of the program, in place of the image's. */
  args?: string[];
  /** The directory in which the program starts. */
  workingDir?: string;
  /** Not allowed for ephemeral containers. */
  ports?: ContainerPort[];
  /** Config maps and secrets whose keys become environment variables. */
  envFrom?: EnvFromSource[];
  /** Environment variables. */
  env?: EnvVar[];
  /** Not allowed for ephemeral containers. */
  resources?: ResourceRequirements;
  /** Volumes mounted as directories. */
  volumeMounts?: VolumeMount[];
  /** Volumes attached as block devices. */
  volumeDevices?: VolumeDevice[];
  /** Not allowed for ephemeral containers. */
  livenessProbe?: Probe;
  /** Not allowed for ephemeral containers. */
  readinessProbe?: Probe;
  /** Not allowed for ephemeral containers. */
  startupProbe?: Probe;
  /** Not allowed for ephemeral containers. */
  lifecycle?: Lifecycle;
  /** The file in which the program leaves a last message. */
  terminationMessagePath?: string;
  /** Where the last message is taken from. */
  terminationMessagePolicy?: 'File' | 'FallbackToLogsOnError';
  /** When the node asks the registry for the image. */
  imagePullPolicy?: 'Always' | 'Never' | 'IfNotPresent';
  /** Security settings of the container. */
  securityContext?: SecurityContext;
  /** Keep an input stream open. */
  stdin?: boolean;
  /** Close the input stream when the first client has left. */
  stdinOnce?: boolean;
  /** Give the container a terminal. */
  tty?: boolean;
  /** The container whose namespaces it shares. */
  targetContainerName?: string;
};

/** EphemeralContainerCommon holds the fields that ephemeral containers share with the others. */
export type EphemeralContainerCommon = {
  /** The name of the container, unique in the pod. */
  name?: string;
  /** The image to run. */
  image?: string;
  /** The program and its first arguments, in place of the image's entry point. */
  command?: string[];
  /** Arguments of the program, in place of the image's. */
  args?: string[];
  /** The directory in which the program starts. */
  workingDir?: string;
  /** Not allowed for ephemeral containers. */
  ports?: ContainerPort[];
  /** Config maps and secrets whose keys become environment variables. */
  envFrom?: EnvFromSource[];
  /** Environment variables. */
  env?: EnvVar[];
  /** Not allowed for ephemeral containers. */
  resources?: ResourceRequirements;
  /** Volumes mounted as directories. */
  volumeMounts?: VolumeMount[];
  /** Volumes attached as block devices. */
  volumeDevices?: VolumeDevice[];
  /** Not allowed for ephemeral containers. */
  livenessProbe?: Probe;
  /** Not allowed for ephemeral containers. */
  readinessProbe?: Probe;
  /** Not allowed for ephemeral containers. */
  startupProbe?: Probe;
  /** Not allowed for ephemeral containers. */
  lifecycle?: Lifecycle;
  /** The file in which the program leaves a last message. */
  terminationMessagePath?: string;
  /** Where the last message is taken from. */
  terminationMessagePolicy?: 'File' | 'FallbackToLogsOnError';
  /** When the node asks the registry for the image. */
  imagePullPolicy?: 'Always' | 'Never' | 'IfNotPresent';
  /** Security settings of the container. */
  securityContext?: SecurityContext;
  /** Keep an input stream open. */
  stdin?: boolean;
  /** Close the input stream when the first client has left. */
  stdinOnce?: boolean;
  /** Give the container a terminal. */
  tty?: boolean;
};

/** EphemeralVolumeSource is a volume claimed for one pod. */
export type EphemeralVolumeSource = {
  /** The claim to make. */
  volumeClaimTemplate?: PersistentVolumeClaimTemplate;
};

/** Event reports that something happened to an object; events expire. */
export type Event = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The object that it happened to. */
  involvedObject?: ObjectReference;
  /** Why it happened, as one CamelCase word. */
  reason?: string;
  /** A description of the event, for people. */
  message?: string;
  /** The component that reported the event. */
  source?: EventSource;
  /** When it first happened. RFC 3339, in whole seconds. */
  firstTimestamp?: string | null;
  /** When it last happened. RFC 3339, in whole seconds. */
  lastTimestamp?: string | null;
  /** How often it happened. */
  count?: number;
  /** Normal or Warning. */
  type?: string;
  /** When it happened, in the newer form of events. RFC 3339, in microseconds. */
  eventTime?: string | null;
  /** The facts of a run of equal events. */
  series?: EventSeries;
  /** The action that was taken on the object. */
  action?: string;
  /** A second object that played a part. */
  related?: ObjectReference;
  /** The controller that reported it. */
  reportingComponent?: string;
  /** The instance of the controller that reported it. */
  reportingInstance?: string;
};

/** EventList is a list of Event objects. */
export type EventList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: Event[] | null;
};

/** EventSeries sums up a run of equal events. */
export type EventSeries = {
  /** How often it happened so far. */
  count?: number;
  /** When it last happened. RFC 3339, in microseconds. */
  lastObservedTime?: string | null;
};

/** EventSource is what reported an event. */
export type EventSource = {
  /** The component that reported it. */
  component?: string;
  /** The node that it was reported from. */
  host?: string;
};

/** ExecAction runs a program in a container. */
export type ExecAction = {
  /** The program and its arguments; no shell is involved. */
  command?: string[];
};

/** FCVolumeSource is a disk over Fibre Channel. */
export type FCVolumeSource = {
  /** The world-wide names of the target. */
  targetWWNs?: string[];
  /** The number of the disk at the target. */
  lun?: number;
  /** The file system on the volume; the driver's usual one when empty. */
  fsType?: string;
  /** Mount without the right to write. */
  readOnly?: boolean;
  /** The world-wide identifiers of the disk. */
  wwids?: string[];
};

/** FlexPersistentVolumeSource describes one flex persistent volume source. */
export type FlexPersistentVolumeSource = {
  /** The driver. */
  driver?: string;
  /** The file system on the volume; the driver's usual one when empty. */
  fsType?: string;
  /** The secret with the credentials for the mount. */
  secretRef?: SecretReference;
  /** Mount without the right to write. */
  readOnly?: boolean;
  /** The options, by key. */
  options?: { [key: string]: string };
};

/** FlexVolumeSource is a volume of a plugin on the node. */
export type FlexVolumeSource = {
  /** The name of the plugin. */
  driver?: string;
  /** The file system on the volume; the driver's usual one when empty. */
  fsType?: string;
  /** The secret with the credentials for the mount. */
  secretRef?: LocalObjectReference;
  /** Mount without the right to write. */
  readOnly?: boolean;
  /** Settings for the plugin. */
  options?: { [key: string]: string };
};

/** FlockerVolumeSource is a dataset of Flocker. */
export type FlockerVolumeSource = {
  /** The name of the dataset. */
  datasetName?: string;
  /** The identifier of the dataset. */
  datasetUUID?: string;
};

/** GCEPersistentDiskVolumeSource is a disk of Google Compute Engine. */
export type GCEPersistentDiskVolumeSource = {
  /** The name of the disk. */
  pdName?: string;
  /** The file system on the volume; the driver's usual one when empty. */
  fsType?: string;
  /** The partition to mount; the whole disk for 0. */
  partition?: number;
  /** Mount without the right to write. */
  readOnly?: boolean;
};

/** GRPCAction calls the gRPC health service. */
export type GRPCAction = {
  /** The port number. */
  port?: number;
  /** The service to ask about. */
  service?: string;
};

/** GitRepoVolumeSource is a clone of a Git repository. */
export type GitRepoVolumeSource = {
  /** The address of the repository. */
  repository?: string;
  /** The commit to check out. */
  revision?: string;
  /** The directory to clone into. */
  directory?: string;
};

/** GlusterfsPersistentVolumeSource describes one glusterfs persistent volume source. */
export type GlusterfsPersistentVolumeSource = {
  /** The endpoints. */
  endpoints?: string;
  /** The path. */
  path?: string;
  /** Mount without the right to write. */
  readOnly?: boolean;
  /** The endpoints namespace. */
  endpointsNamespace?: string;
};

/** GlusterfsVolumeSource is a volume of GlusterFS. */
export type GlusterfsVolumeSource = {
  /** The Endpoints object with the servers. */
  endpoints?: string;
  /** The name of the volume. */
  path?: string;
  /** Mount without the right to write. */
  readOnly?: boolean;
};

/** HTTPGetAction sends an HTTP GET request. */
export type HTTPGetAction = {
  /** The path to ask for. */
  path?: string;
  /** The port, by number or name. */
  port?: number | string;
  /** The host to ask; the pod's address when empty. */
  host?: string;
  /** HTTP or HTTPS. */
  scheme?: 'HTTP' | 'HTTPS';
  /** Headers to send. */
  httpHeaders?: HTTPHeader[];
};

/** HTTPHeader is a header of a request. */
export type HTTPHeader = {
  /** The name of the header. */
  name?: string;
  /** The value of the header. */
  value?: string;
};

/** HostAlias is a line of the hosts file. */
export type HostAlias = {
  /** The address. */
  ip?: string;
  /** The names. */
  hostnames?: string[];
};

/** HostPathVolumeSource is a path of the node. */
export type HostPathVolumeSource = {
  /** The path. */
  path?: string;
  /** The type of the file that must be at the path, or is made there; any when empty. */
  type?: '' | 'DirectoryOrCreate' | 'Directory' | 'FileOrCreate' | 'File' | 'Socket' | 'CharDevice' | 'BlockDevice';
};

/** ISCSIPersistentVolumeSource describes one iscsipersistent volume source. */
export type ISCSIPersistentVolumeSource = {
  /** The target portal. */
  targetPortal?: string;
  /** The iqn. */
  iqn?: string;
  /** The lun. */
  lun?: number;
  /** The iscsi interface. */
  iscsiInterface?: string;
  /** The file system on the volume; the driver's usual one when empty. */
  fsType?: string;
  /** Mount without the right to write. */
  readOnly?: boolean;
  /** The list of portals. */
  portals?: string[];
  /** Whether chap auth discovery applies. */
  chapAuthDiscovery?: boolean;
  /** Whether chap auth session applies. */
  chapAuthSession?: boolean;
  /** The secret with the credentials for the mount. */
  secretRef?: SecretReference;
  /** The initiator name. */
  initiatorName?: string;
};

/** ISCSIVolumeSource is a disk over iSCSI. */
export type ISCSIVolumeSource = {
  /** The address of the target. */
  targetPortal?: string;
  /** The qualified name of the target. */
  iqn?: string;
  /** The number of the disk at the target. */
  lun?: number;
  /** The interface to use. */
  iscsiInterface?: string;
  /** The file system on the volume; the driver's usual one when empty. */
  fsType?: string;
  /** Mount without the right to write. */
  readOnly?: boolean;
  /** Further addresses of the target. */
  portals?: string[];
  /** Authenticate during discovery. */
  chapAuthDiscovery?: boolean;
  /** Authenticate the session. */
  chapAuthSession?: boolean;
  /** The secret with the credentials for the mount. */
  secretRef?: LocalObjectReference;
  /** The name to log in with. */
  initiatorName?: string;
};

/** KeyToPath puts a key into a file. */
export type KeyToPath = {
  /** The key. */
  key?: string;
  /** The relative path of the file. */
  path?: string;
  /** The permission bits of the file. */
  mode?: number;
};

/** Lifecycle says what to do at the moments of a container's life. */
export type Lifecycle = {
  /** Right after the start. */
  postStart?: LifecycleHandler;
  /** Before the container is asked to stop. */
  preStop?: LifecycleHandler;
};

/** LifecycleHandler is one thing to do at a moment of a container's life. */
export type LifecycleHandler = {
  /** Run a program in the container. */
  exec?: ExecAction;
  /** Send an HTTP request. */
  httpGet?: HTTPGetAction;
  /** Open a TCP connection; kept for old clients. */
  tcpSocket?: TCPSocketAction;
};

/** LimitRange is an object of the core group. */
export type LimitRange = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: LimitRangeSpec;
};

/** LimitRangeItem describes one limit range item. */
export type LimitRangeItem = {
  /** The type. */
  type?: string;
  /** The max, by key. */
  max?: { [key: string]: string };
  /** The min, by key. */
  min?: { [key: string]: string };
  /** The default, by key. */
  default?: { [key: string]: string };
  /** The default request, by key. */
  defaultRequest?: { [key: string]: string };
  /** The max limit request ratio, by key. */
  maxLimitRequestRatio?: { [key: string]: string };
};

/** LimitRangeList is a list of LimitRange objects. */
export type LimitRangeList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: LimitRange[] | null;
};

/** LimitRangeSpec is the desired state of a limit range. */
export type LimitRangeSpec = {
  /** The list of limits. */
  limits?: LimitRangeItem[] | null;
};

/** List is a list of objects of any type. */
export type List = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: JsonValue[] | null;
};

/** LoadBalancerIngress is one point where traffic enters. */
export type LoadBalancerIngress = {
  /** The address, for balancers that work with addresses. */
  ip?: string;
  /** The DNS name, for balancers that work with names. */
  hostname?: string;
  /** The state of each port. */
  ports?: PortStatus[];
};

/** LoadBalancerStatus is what a load balancer offers. */
export type LoadBalancerStatus = {
  /** Where traffic enters. */
  ingress?: LoadBalancerIngress[];
};

/** LocalObjectReference names an object of the same namespace. */
export type LocalObjectReference = {
  /** The name of the object. */
  name?: string;
};

/** LocalVolumeSource describes one local volume source. */
export type LocalVolumeSource = {
  /** The path. */
  path?: string;
  /** The file system on the volume; the driver's usual one when empty. */
  fsType?: string;
};

/** NFSVolumeSource is a directory of an NFS server. */
export type NFSVolumeSource = {
  /** The host of the server. */
  server?: string;
  /** The directory that the server exports. */
  path?: string;
  /** Mount without the right to write. */
  readOnly?: boolean;
};

/** Namespace is a scope for names; most objects live in one. */
export type Namespace = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: NamespaceSpec;
  /** The observed state, written by the system. */
  status?: NamespaceStatus;
};

/** NamespaceCondition is one thing observed while a namespace goes. */
export type NamespaceCondition = {
  /** The observed condition. */
  type?: string;
  /** True, False or Unknown. */
  status?: string;
  /** When the status last changed from one value to another. RFC 3339, in whole seconds. */
  lastTransitionTime?: string | null;
  /** Why, as one CamelCase word for programs. */
  reason?: string;
  /** Why, as a sentence for people. */
  message?: string;
};

/** NamespaceList is a list of Namespace objects. */
export type NamespaceList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: Namespace[] | null;
};

/** NamespaceSpec holds what must happen before a namespace goes. */
export type NamespaceSpec = {
  /** Who has work to do before the deleted namespace is removed; changed through the finalize subresource. */
  finalizers?: string[];
};

/** NamespaceStatus is the point of its life that a namespace has reached. */
export type NamespaceStatus = {
  /** Active, or Terminating once deletion has begun. */
  phase?: 'Active' | 'Terminating';
  /** The conditions that deletion of the contents has met with. */
  conditions?: NamespaceCondition[];
};

/** Node is an object of the core group. */
export type Node = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: NodeSpec;
  /** The observed state, written by the system. */
  status?: NodeStatus;
};

/** NodeAddress describes one node address. */
export type NodeAddress = {
  /** The type. */
  type?: string;
  /** The address. */
  address?: string;
};

/** NodeAffinity chooses nodes by their labels. */
export type NodeAffinity = {
  /** The requirements on a node. */
  requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector;
  /** The preferences among nodes. */
  preferredDuringSchedulingIgnoredDuringExecution?: PreferredSchedulingTerm[];
};

/** NodeCondition is one condition in the state of a node. */
export type NodeCondition = {
  /** The type. */
  type?: string;
  /** The observed state, written by the system. */
  status?: string;
  /** The last heartbeat time. RFC 3339, in whole seconds. */
  lastHeartbeatTime?: string | null;
  /** When the status last changed from one value to another. RFC 3339, in whole seconds. */
  lastTransitionTime?: string | null;
  /** Why, as one CamelCase word for programs. */
  reason?: string;
  /** Why, as a sentence for people. */
  message?: string;
};

/** NodeConfigSource describes one node config source. */
export type NodeConfigSource = {
  /** The config map. */
  configMap?: ConfigMapNodeConfigSource;
};

/** NodeConfigStatus is the observed state of a node config. */
export type NodeConfigStatus = {
  /** The assigned. */
  assigned?: NodeConfigSource;
  /** The active. */
  active?: NodeConfigSource;
  /** The last known good. */
  lastKnownGood?: NodeConfigSource;
  /** The error. */
  error?: string;
};

/** NodeDaemonEndpoints describes one node daemon endpoints. */
export type NodeDaemonEndpoints = {
  /** The kubelet endpoint. */
  kubeletEndpoint?: DaemonEndpoint;
};

/** NodeList is a list of Node objects. */
export type NodeList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: Node[] | null;
};

/** NodeProxyOptions is an object of the core group. */
export type NodeProxyOptions = {
  apiVersion?: string;
  kind?: string;
  /** The path. */
  path?: string;
};

/** NodeResources is what a node has to give. */
export type NodeResources = {
  /** The amount of each resource. */
  capacity?: { [key: string]: string } | null;
};

/** NodeSelector chooses nodes that satisfy any one of its terms. */
export type NodeSelector = {
  /** The terms. */
  nodeSelectorTerms?: NodeSelectorTerm[] | null;
};

/** NodeSelectorRequirement compares one label or field. */
export type NodeSelectorRequirement = {
  /** The label or field. */
  key?: string;
  /** How to compare. */
  operator?: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt';
  /** The values to compare with. */
  values?: string[];
};

/** NodeSelectorTerm is satisfied when all its requirements are. */
export type NodeSelectorTerm = {
  /** Requirements on labels. */
  matchExpressions?: NodeSelectorRequirement[];
  /** Requirements on fields. */
  matchFields?: NodeSelectorRequirement[];
};

/** NodeSpec is the desired state of a node. */
export type NodeSpec = {
  /** The pod cidr. */
  podCIDR?: string;
  /** The list of pod cidrs. */
  podCIDRs?: string[];
  /** The provider id. */
  providerID?: string;
  /** Whether unschedulable applies. */
  unschedulable?: boolean;
  /** The list of taints. */
  taints?: Taint[];
  /** The config source. */
  configSource?: NodeConfigSource;
  /** The external id. */
  externalID?: string;
};

/** NodeStatus is the observed state of a node. */
export type NodeStatus = {
  /** The capacity, by key. */
  capacity?: { [key: string]: string };
  /** The allocatable, by key. */
  allocatable?: { [key: string]: string };
  /** The phase. */
  phase?: 'Pending' | 'Running' | 'Terminated';
  /** Aspects of the current state. */
  conditions?: NodeCondition[];
  /** The list of addresses. */
  addresses?: NodeAddress[];
  /** The daemon endpoints. */
  daemonEndpoints?: NodeDaemonEndpoints;
  /** The node info. */
  nodeInfo?: NodeSystemInfo;
  /** The list of images. */
  images?: ContainerImage[];
  /** The list of volumes in use. */
  volumesInUse?: string[];
  /** The list of volumes attached. */
  volumesAttached?: AttachedVolume[];
  /** The config. */
  config?: NodeConfigStatus;
};

/** NodeSystemInfo describes one node system info. */
export type NodeSystemInfo = {
  /** The machine id. */
  machineID?: string;
  /** The system uuid. */
  systemUUID?: string;
  /** The boot id. */
  bootID?: string;
  /** The kernel version. */
  kernelVersion?: string;
  /** The os image. */
  osImage?: string;
  /** The container runtime version. */
  containerRuntimeVersion?: string;
  /** The kubelet version. */
  kubeletVersion?: string;
  /** The kube proxy version. */
  kubeProxyVersion?: string;
  /** The operating system. */
  operatingSystem?: string;
  /** The architecture. */
  architecture?: string;
};

/** ObjectFieldSelector names a field of the pod. */
export type ObjectFieldSelector = {
  /** The version in which the path is to be read. */
  apiVersion?: string;
  /** The path of the field. */
  fieldPath?: string;
};

/** ObjectReference points at another object, or a part of it. */
export type ObjectReference = {
  /** The kind of the object. */
  kind?: string;
  /** The namespace of the object. */
  namespace?: string;
  /** The name of the object. */
  name?: string;
  /** The unique identifier of the object. */
  uid?: string;
  /** The group and version of the object. */
  apiVersion?: string;
  /** The version of the object that is meant. */
  resourceVersion?: string;
  /** The part of the object that is meant, as a path. */
  fieldPath?: string;
};

/** PersistentVolume is an object of the core group. */
export type PersistentVolume = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: PersistentVolumeSpec;
  /** The observed state, written by the system. */
  status?: PersistentVolumeStatus;
};

/** PersistentVolumeClaim is an object of the core group. */
export type PersistentVolumeClaim = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: PersistentVolumeClaimSpec;
  /** The observed state, written by the system. */
  status?: PersistentVolumeClaimStatus;
};

/** PersistentVolumeClaimCondition is one condition in the state of a persistent volume claim. */
export type PersistentVolumeClaimCondition = {
  /** The type. */
  type?: string;
  /** The observed state, written by the system. */
  status?: string;
  /** When the condition was last checked. RFC 3339, in whole seconds. */
  lastProbeTime?: string | null;
  /** When the status last changed from one value to another. RFC 3339, in whole seconds. */
  lastTransitionTime?: string | null;
  /** Why, as one CamelCase word for programs. */
  reason?: string;
  /** Why, as a sentence for people. */
  message?: string;
};

/** PersistentVolumeClaimList is a list of PersistentVolumeClaim objects. */
export type PersistentVolumeClaimList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: PersistentVolumeClaim[] | null;
};

/** PersistentVolumeClaimSpec says what kind of volume is asked for. */
export type PersistentVolumeClaimSpec = {
  /** How the volume is to be mounted. */
  accessModes?: ('ReadWriteOnce' | 'ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOncePod')[];
  /** Labels of the volumes that will do. */
  selector?: LabelSelector;
  /** How large the volume must be. */
  resources?: ResourceRequirements;
  /** The volume that is bound to the claim. */
  volumeName?: string;
  /** The storage class to take a volume from. */
  storageClassName?: string;
  /** A file system or a block device. */
  volumeMode?: 'Block' | 'Filesystem';
  /** The source that the volume is filled from. */
  dataSource?: TypedLocalObjectReference;
  /** The source that the volume is filled from, of any kind. */
  dataSourceRef?: TypedObjectReference;
};

/** PersistentVolumeClaimStatus is the observed state of a persistent volume claim. */
export type PersistentVolumeClaimStatus = {
  /** The phase. */
  phase?: 'Pending' | 'Bound' | 'Lost';
  /** The list of access modes. */
  accessModes?: ('ReadWriteOnce' | 'ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOncePod')[];
  /** The capacity, by key. */
  capacity?: { [key: string]: string };
  /** Aspects of the current state. */
  conditions?: PersistentVolumeClaimCondition[];
  /** The allocated resources, by key. */
  allocatedResources?: { [key: string]: string };
  /** The resize status. */
  resizeStatus?: '' | 'ControllerExpansionInProgress' | 'ControllerExpansionFailed' | 'NodeExpansionPending' | 'NodeExpansionInProgress' | 'NodeExpansionFailed';
};

/** PersistentVolumeClaimTemplate is the claim that is made for a pod. */
export type PersistentVolumeClaimTemplate = {
  /** Standard object metadata. */
  metadata?: ObjectMeta;
  /** The desired state. */
  spec?: PersistentVolumeClaimSpec;
};

/** PersistentVolumeClaimVolumeSource is a volume claimed in the same namespace. */
export type PersistentVolumeClaimVolumeSource = {
  /** The name of the claim. */
  claimName?: string;
  /** Mount without the right to write. */
  readOnly?: boolean;
};

/** PersistentVolumeList is a list of PersistentVolume objects. */
export type PersistentVolumeList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: PersistentVolume[] | null;
};

/** PersistentVolumeSource describes one persistent volume source. */
export type PersistentVolumeSource = {
  /** The gce persistent disk. */
  gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  /** The aws elastic block store. */
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  /** The host path. */
  hostPath?: HostPathVolumeSource;
  /** The glusterfs. */
  glusterfs?: GlusterfsPersistentVolumeSource;
  /** The nfs. */
  nfs?: NFSVolumeSource;
  /** The rbd. */
  rbd?: RBDPersistentVolumeSource;
  /** The iscsi. */
  iscsi?: ISCSIPersistentVolumeSource;
  /** The cinder. */
  cinder?: CinderPersistentVolumeSource;
  /** The cephfs. */
  cephfs?: CephFSPersistentVolumeSource;
  /** The fc. */
  fc?: FCVolumeSource;
  /** The flocker. */
  flocker?: FlockerVolumeSource;
  /** The flex volume. */
  flexVolume?: FlexPersistentVolumeSource;
  /** The azure file. */
  azureFile?: AzureFilePersistentVolumeSource;
  /** The vsphere volume. */
  vsphereVolume?: VsphereVirtualDiskVolumeSource;
  /** The quobyte. */
  quobyte?: QuobyteVolumeSource;
  /** The azure disk. */
  azureDisk?: AzureDiskVolumeSource;
  /** The photon persistent disk. */
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  /** The portworx volume. */
  portworxVolume?: PortworxVolumeSource;
  /** The scale io. */
  scaleIO?: ScaleIOPersistentVolumeSource;
  /** The local. */
  local?: LocalVolumeSource;
  /** The storageos. */
  storageos?: StorageOSPersistentVolumeSource;
  /** The csi. */
  csi?: CSIPersistentVolumeSource;
};

/** PersistentVolumeSpec is the desired state of a persistent volume. */
export type PersistentVolumeSpec = {
  /** The capacity, by key. */
  capacity?: { [key: string]: string };
  /** The gce persistent disk. */
  gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  /** The aws elastic block store. */
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  /** The host path. */
  hostPath?: HostPathVolumeSource;
  /** The glusterfs. */
  glusterfs?: GlusterfsPersistentVolumeSource;
  /** The nfs. */
  nfs?: NFSVolumeSource;
  /** The rbd. */
  rbd?: RBDPersistentVolumeSource;
  /** The iscsi. */
  iscsi?: ISCSIPersistentVolumeSource;
  /** The cinder. */
  cinder?: CinderPersistentVolumeSource;
  /** The cephfs. */
  cephfs?: CephFSPersistentVolumeSource;
  /** The fc. */
  fc?: FCVolumeSource;
  /** The flocker. */
  flocker?: FlockerVolumeSource;
  /** The flex volume. */
  flexVolume?: FlexPersistentVolumeSource;
  /** The azure file. */
  azureFile?: AzureFilePersistentVolumeSource;
  /** The vsphere volume. */
  vsphereVolume?: VsphereVirtualDiskVolumeSource;
  /** The quobyte. */
  quobyte?: QuobyteVolumeSource;
  /** The azure disk. */
  azureDisk?: AzureDiskVolumeSource;
  /** The photon persistent disk. */
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  /** The portworx volume. */
  portworxVolume?: PortworxVolumeSource;
  /** The scale io. */
  scaleIO?: ScaleIOPersistentVolumeSource;
  /** The local. */
  local?: LocalVolumeSource;
  /** The storageos. */
  storageos?: StorageOSPersistentVolumeSource;
  /** The csi. */
  csi?: CSIPersistentVolumeSource;
  /** The list of access modes. */
  accessModes?: ('ReadWriteOnce' | 'ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOncePod')[];
  /** The claim ref. */
  claimRef?: ObjectReference;
  /** The persistent volume reclaim policy. */
  persistentVolumeReclaimPolicy?: 'Recycle' | 'Delete' | 'Retain';
  /** The storage class name. */
  storageClassName?: string;
  /** The list of mount options. */
  mountOptions?: string[];
  /** The volume mode. */
  volumeMode?: 'Block' | 'Filesystem';
  /** The node affinity. */
  nodeAffinity?: VolumeNodeAffinity;
};

/** PersistentVolumeStatus is the observed state of a persistent volume. */
export type PersistentVolumeStatus = {
  /** The phase. */
  phase?: 'Pending' | 'Available' | 'Bound' | 'Released' | 'Failed';
  /** Why, as a sentence for people. */
  message?: string;
  /** Why, as one CamelCase word for programs. */
  reason?: string;
};

/** PhotonPersistentDiskVolumeSource is a disk of Photon. */
export type PhotonPersistentDiskVolumeSource = {
  /** The identifier of the disk. */
  pdID?: string;
  /** The file system on the volume; the driver's usual one when empty. */
  fsType?: string;
};

/** Pod is a set of containers that run together on one node. */
export type Pod = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: PodSpec;
  /** The observed state, written by the system. */
  status?: PodStatus;
};

/** PodAffinity chooses places near certain pods. */
export type PodAffinity = {
  /** The requirements on a place. */
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[];
  /** The preferences among places. */
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[];
};

/** PodAffinityTerm chooses pods, and what near means. */
export type PodAffinityTerm = {
  /** Labels of the pods meant. */
  labelSelector?: LabelSelector;
  /** Namespaces of the pods meant; the own one when there is neither this nor a selector. */
  namespaces?: string[];
  /** The node label whose equal values mean near. */
  topologyKey?: string;
  /** Labels of the namespaces meant. */
  namespaceSelector?: LabelSelector;
};

/** PodAntiAffinity chooses places away from certain pods. */
export type PodAntiAffinity = {
  /** The requirements on a place. */
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[];
  /** The preferences among places. */
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[];
};

/** PodAttachOptions is an object of the core group. */
export type PodAttachOptions = {
  apiVersion?: string;
  kind?: string;
  /** Whether stdin applies. */
  stdin?: boolean;
  /** Whether stdout applies. */
  stdout?: boolean;
  /** Whether stderr applies. */
  stderr?: boolean;
  /** Whether tty applies. */
  tty?: boolean;
  /** The container. */
  container?: string;
};

/** PodCondition is one aspect of a pod's state. */
export type PodCondition = {
  /** The aspect, such as Ready or PodScheduled. */
  type?: string;
  /** True, False or Unknown. */
  status?: string;
  /** When the condition was last checked. RFC 3339, in whole seconds. */
  lastProbeTime?: string | null;
  /** When the status last changed from one value to another. RFC 3339, in whole seconds. */
  lastTransitionTime?: string | null;
  /** Why, as one CamelCase word for programs. */
  reason?: string;
  /** Why, as a sentence for people. */
  message?: string;
};

/** PodDNSConfig holds DNS settings. */
export type PodDNSConfig = {
  /** Addresses of name servers, at most three. */
  nameservers?: string[];
  /** Domains in which short names are looked up. */
  searches?: string[];
  /** Options of the resolver. */
  options?: PodDNSConfigOption[];
};

/** PodDNSConfigOption is an option of the resolver. */
export type PodDNSConfigOption = {
  /** The name of the option. */
  name?: string;
  /** The value of the option. */
  value?: string;
};

/** PodExecOptions is an object of the core group. */
export type PodExecOptions = {
  apiVersion?: string;
  kind?: string;
  /** Whether stdin applies. */
  stdin?: boolean;
  /** Whether stdout applies. */
  stdout?: boolean;
  /** Whether stderr applies. */
  stderr?: boolean;
  /** Whether tty applies. */
  tty?: boolean;
  /** The container. */
  container?: string;
  /** The list of command. */
  command?: string[] | null;
};

/** PodIP is one address of a pod. */
export type PodIP = {
  /** The address. */
  ip?: string;
};

/** PodList is a list of Pod objects. */
export type PodList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: Pod[] | null;
};

/** PodLogOptions is an object of the core group. */
export type PodLogOptions = {
  apiVersion?: string;
  kind?: string;
  /** The container. */
  container?: string;
  /** Whether follow applies. */
  follow?: boolean;
  /** Whether previous applies. */
  previous?: boolean;
  /** The since seconds. */
  sinceSeconds?: number | bigint;
  /** The since time. RFC 3339, in whole seconds. */
  sinceTime?: string;
  /** Whether timestamps applies. */
  timestamps?: boolean;
  /** The tail lines. */
  tailLines?: number | bigint;
  /** The limit bytes. */
  limitBytes?: number | bigint;
  /** Whether insecure skip tlsverify backend applies. */
  insecureSkipTLSVerifyBackend?: boolean;
};

/** PodOS names an operating system. */
export type PodOS = {
  /** linux or windows. */
  name?: string;
};

/** PodPortForwardOptions is an object of the core group. */
export type PodPortForwardOptions = {
  apiVersion?: string;
  kind?: string;
  /** The list of ports. */
  ports?: number[];
};

/** PodProxyOptions is an object of the core group. */
export type PodProxyOptions = {
  apiVersion?: string;
  kind?: string;
  /** The path. */
  path?: string;
};

/** PodReadinessGate names a condition on which readiness depends. */
export type PodReadinessGate = {
  /** The type of the condition. */
  conditionType?: string;
};

/** PodResourceClaim is a device claim of a pod. */
export type PodResourceClaim = {
  /** The name by which containers refer to it. */
  name?: string;
  /** Where the claim is. */
  source?: ClaimSource;
};

/** PodSchedulingGate is a reason not to schedule a pod. */
export type PodSchedulingGate = {
  /** The name of the gate. */
  name?: string;
};

/** PodSecurityContext holds the security settings of all containers of a pod. */
export type PodSecurityContext = {
  /** SELinux labels. */
  seLinuxOptions?: SELinuxOptions;
  /** Settings for Windows. */
  windowsOptions?: WindowsSecurityContextOptions;
  /** The user that programs run as. */
  runAsUser?: number | bigint;
  /** The primary group that programs run as. */
  runAsGroup?: number | bigint;
  /** Refuse to start as user 0. */
  runAsNonRoot?: boolean;
  /** Further groups that programs run as. */
  supplementalGroups?: (number | bigint)[];
  /** The group that owns the volumes. */
  fsGroup?: number | bigint;
  /** Kernel parameters of the pod. */
  sysctls?: Sysctl[];
  /** When the owner of volumes is changed. */
  fsGroupChangePolicy?: 'OnRootMismatch' | 'Always';
  /** The filter of system calls. */
  seccompProfile?: SeccompProfile;
};

/** PodSignature describes one pod signature. */
export type PodSignature = {
  /** The pod controller. */
  podController?: OwnerReference;
};

/** PodSpec describes the containers of a pod and what they need. */
export type PodSpec = {
  /** Volumes that containers can mount. */
  volumes?: Volume[];
  /** Containers that run to their end, one after the other, before the others start. */
  initContainers?: Container[];
  /** The containers of the pod; at least one. */
  containers?: Container[] | null;
  /** Containers added to the running pod, for example for debugging. */
  ephemeralContainers?: EphemeralContainer[];
  /** Whether containers that end are started again. */
  restartPolicy?: 'Always' | 'OnFailure' | 'Never';
  /** How long containers may take to stop before they are killed. */
  terminationGracePeriodSeconds?: number | bigint;
  /** How long the pod may be active before it is failed. */
  activeDeadlineSeconds?: number | bigint;
  /** Where names are resolved. */
  dnsPolicy?: 'ClusterFirstWithHostNet' | 'ClusterFirst' | 'Default' | 'None';
  /** Labels that the node must have. */
  nodeSelector?: { [key: string]: string };
  /** The service account that the pod runs as. */
  serviceAccountName?: string;
  /** The old name of serviceAccountName. */
  serviceAccount?: string;
  /** Whether a token of the service account is mounted. */
  automountServiceAccountToken?: boolean;
  /** The node that runs the pod; left empty for the scheduler to choose. */
  nodeName?: string;
  /** Use the network of the node. */
  hostNetwork?: boolean;
  /** Use the process namespace of the node. */
  hostPID?: boolean;
  /** Use the IPC namespace of the node. */
  hostIPC?: boolean;
  /** Let containers see each other's processes. */
  shareProcessNamespace?: boolean;
  /** Security settings of all containers. */
  securityContext?: PodSecurityContext;
  /** Secrets with which the images are pulled. */
  imagePullSecrets?: LocalObjectReference[];
  /** The host name within the pod; its name when empty. */
  hostname?: string;
  /** The subdomain of the pod's host name. */
  subdomain?: string;
  /** Where the pod would like to run, or must. */
  affinity?: Affinity;
  /** The scheduler that places the pod. */
  schedulerName?: string;
  /** Taints of nodes that the pod puts up with. */
  tolerations?: Toleration[];
  /** Further entries of the hosts file. */
  hostAliases?: HostAlias[];
  /** The class that gives the pod its priority. */
  priorityClassName?: string;
  /** The priority; set by admission from the class. */
  priority?: number;
  /** DNS settings, merged with those of dnsPolicy. */
  dnsConfig?: PodDNSConfig;
  /** Conditions that must hold for the pod to be ready, beside its containers. */
  readinessGates?: PodReadinessGate[];
  /** The runtime that runs the containers. */
  runtimeClassName?: string;
  /** Whether services appear as environment variables. */
  enableServiceLinks?: boolean;
  /** Whether the pod may push out pods of lower priority. */
  preemptionPolicy?: 'PreemptLowerPriority' | 'Never';
  /** The resources that running the pod takes beyond its containers. */
  overhead?: { [key: string]: string };
  /** How pods like this one spread over zones and nodes. */
  topologySpreadConstraints?: TopologySpreadConstraint[];
  /** Whether the host name is the full domain name. */
  setHostnameAsFQDN?: boolean;
  /** The operating system that the containers need. */
  os?: PodOS;
  /** Use the user namespace of the node. */
  hostUsers?: boolean;
  /** Reasons for which the pod is not to be scheduled for the time being. */
  schedulingGates?: PodSchedulingGate[];
  /** Claims of devices that must be met before the pod starts. */
  resourceClaims?: PodResourceClaim[];
};

/** PodStatus is the observed state of a pod. */
export type PodStatus = {
  /** Where in its life the pod is: Pending, Running, Succeeded, Failed or Unknown. */
  phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';
  /** Aspects of the current state. */
  conditions?: PodCondition[];
  /** Why, as a sentence for people. */
  message?: string;
  /** Why, as one CamelCase word for programs. */
  reason?: string;
  /** The node on which room is being made for the pod. */
  nominatedNodeName?: string;
  /** The address of the node. */
  hostIP?: string;
  /** The address of the pod. */
  podIP?: string;
  /** The addresses of the pod, at most one a family; the first is podIP. */
  podIPs?: PodIP[];
  /** When the node took the pod on. RFC 3339, in whole seconds. */
  startTime?: string;
  /** The states of the init containers. */
  initContainerStatuses?: ContainerStatus[];
  /** The states of the containers. */
  containerStatuses?: ContainerStatus[];
  /** How the pod ranks when a node runs short: Guaranteed, Burstable or BestEffort. */
  qosClass?: 'Guaranteed' | 'Burstable' | 'BestEffort';
  /** The states of the ephemeral containers. */
  ephemeralContainerStatuses?: ContainerStatus[];
};

/** PodStatusResult is an object of the core group. */
export type PodStatusResult = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The observed state, written by the system. */
  status?: PodStatus;
};

/** PodTemplate is an object of the core group. */
export type PodTemplate = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The pod that is created. */
  template?: PodTemplateSpec;
};

/** PodTemplateList is a list of PodTemplate objects. */
export type PodTemplateList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: PodTemplate[] | null;
};

/** PodTemplateSpec is the desired state of a pod template. */
export type PodTemplateSpec = {
  /** Standard object metadata. */
  metadata?: ObjectMeta;
  /** The desired state. */
  spec?: PodSpec;
};

/** PortStatus is the state of one port of a load balancer. */
export type PortStatus = {
  /** The port that this is about. */
  port?: number;
  /** The transport protocol of the port. */
  protocol?: 'TCP' | 'UDP' | 'SCTP';
  /** The fault of the port, as a CamelCase word. */
  error?: string;
};

/** PortworxVolumeSource is a volume of Portworx. */
export type PortworxVolumeSource = {
  /** The identifier of the volume. */
  volumeID?: string;
  /** The file system on the volume; the driver's usual one when empty. */
  fsType?: string;
  /** Mount without the right to write. */
  readOnly?: boolean;
};

/** Preconditions describes one preconditions. */
export type Preconditions = {
  /** The unique identifier of the object. */
  uid?: string;
};

/** PreferAvoidPodsEntry describes one prefer avoid pods entry. */
export type PreferAvoidPodsEntry = {
  /** The pod signature. */
  podSignature?: PodSignature;
  /** The eviction time. RFC 3339, in whole seconds. */
  evictionTime?: string | null;
  /** Why, as one CamelCase word for programs. */
  reason?: string;
  /** Why, as a sentence for people. */
  message?: string;
};

/** PreferredSchedulingTerm is a preference for nodes, with its weight. */
export type PreferredSchedulingTerm = {
  /** How much it counts, from 1 to 100. */
  weight?: number;
  /** The nodes meant. */
  preference?: NodeSelectorTerm;
};

/** Probe is a regular check of a container. */
export type Probe = {
  /** Run a program in the container. */
  exec?: ExecAction;
  /** Send an HTTP request. */
  httpGet?: HTTPGetAction;
  /** Open a TCP connection. */
  tcpSocket?: TCPSocketAction;
  /** Call the health service over gRPC. */
  grpc?: GRPCAction;
  /** How long after the start the checks begin. */
  initialDelaySeconds?: number;
  /** How long an answer may take. */
  timeoutSeconds?: number;
  /** How long to wait from one check to the next. */
  periodSeconds?: number;
  /** How many successes in a row count as success. */
  successThreshold?: number;
  /** How many failures in a row count as failure. */
  failureThreshold?: number;
  /** How long the container may take to stop after a failed check. */
  terminationGracePeriodSeconds?: number | bigint;
};

/** ProbeHandler is one way to check a container. */
export type ProbeHandler = {
  /** Run a program in the container. */
  exec?: ExecAction;
  /** Send an HTTP request. */
  httpGet?: HTTPGetAction;
  /** Open a TCP connection. */
  tcpSocket?: TCPSocketAction;
  /** Call the health service over gRPC. */
  grpc?: GRPCAction;
};

/** ProjectedVolumeSource shows several sources in one directory. */
export type ProjectedVolumeSource = {
  /** The sources. */
  sources?: VolumeProjection[] | null;
  /** The permission bits of the files. */
  defaultMode?: number;
};

/** QuobyteVolumeSource is a volume of Quobyte. */
export type QuobyteVolumeSource = {
  /** The addresses of the registries. */
  registry?: string;
  /** The name of the volume. */
  volume?: string;
  /** Mount without the right to write. */
  readOnly?: boolean;
  /** The user to mount as. */
  user?: string;
  /** The group to mount as. */
  group?: string;
  /** The tenant that owns the volume. */
  tenant?: string;
};

/** RBDPersistentVolumeSource describes one rbdpersistent volume source. */
export type RBDPersistentVolumeSource = {
  /** The list of monitors. */
  monitors?: string[] | null;
  /** The image. */
  image?: string;
  /** The file system on the volume; the driver's usual one when empty. */
  fsType?: string;
  /** The pool. */
  pool?: string;
  /** The user. */
  user?: string;
  /** The keyring. */
  keyring?: string;
  /** The secret with the credentials for the mount. */
  secretRef?: SecretReference;
  /** Mount without the right to write. */
  readOnly?: boolean;
};

/** RBDVolumeSource is a block device of Ceph. */
export type RBDVolumeSource = {
  /** The addresses of the monitors. */
  monitors?: string[] | null;
  /** The name of the image. */
  image?: string;
  /** The file system on the volume; the driver's usual one when empty. */
  fsType?: string;
  /** The pool of the image. */
  pool?: string;
  /** The user to log in as. */
  user?: string;
  /** The file of the node with the key. */
  keyring?: string;
  /** The secret with the credentials for the mount. */
  secretRef?: LocalObjectReference;
  /** Mount without the right to write. */
  readOnly?: boolean;
};

/** RangeAllocation is an object of the core group. */
export type RangeAllocation = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The range. */
  range?: string;
  /** The data. Base64. */
  data?: string | null;
};

/** ReplicationController is an object of the core group. */
export type ReplicationController = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: ReplicationControllerSpec;
  /** The observed state, written by the system. */
  status?: ReplicationControllerStatus;
};

/** ReplicationControllerCondition is one condition in the state of a replication controller. */
export type ReplicationControllerCondition = {
  /** The type. */
  type?: string;
  /** The observed state, written by the system. */
  status?: string;
  /** When the status last changed from one value to another. RFC 3339, in whole seconds. */
  lastTransitionTime?: string | null;
  /** Why, as one CamelCase word for programs. */
  reason?: string;
  /** Why, as a sentence for people. */
  message?: string;
};

/** ReplicationControllerList is a list of ReplicationController objects. */
export type ReplicationControllerList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: ReplicationController[] | null;
};

/** ReplicationControllerSpec is the desired state of a replication controller. */
export type ReplicationControllerSpec = {
  /** The number of pods. */
  replicas?: number;
  /** How long a new pod must be ready before it counts as available. */
  minReadySeconds?: number;
  /** Labels that select the pods. */
  selector?: { [key: string]: string };
  /** The pod that is created. */
  template?: PodTemplateSpec;
};

/** ReplicationControllerStatus is the observed state of a replication controller. */
export type ReplicationControllerStatus = {
  /** The number of pods. */
  replicas?: number;
  /** The fully labeled replicas. */
  fullyLabeledReplicas?: number;
  /** The ready replicas. */
  readyReplicas?: number;
  /** The available replicas. */
  availableReplicas?: number;
  /** The metadata.generation that this state was made from. */
  observedGeneration?: number | bigint;
  /** Aspects of the current state. */
  conditions?: ReplicationControllerCondition[];
};

/** ResourceClaim refers to a device claim of the pod. */
export type ResourceClaim = {
  /** The name of the claim within the pod. */
  name?: string;
};

/** ResourceFieldSelector names a resource amount of a container. */
export type ResourceFieldSelector = {
  /** The container; the own one for variables. */
  containerName?: string;
  /** The resource, such as limits.cpu. */
  resource?: string;
  /** The unit in which the amount is given. */
  divisor?: string;
};

/** ResourceQuota is an object of the core group. */
export type ResourceQuota = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: ResourceQuotaSpec;
  /** The observed state, written by the system. */
  status?: ResourceQuotaStatus;
};

/** ResourceQuotaList is a list of ResourceQuota objects. */
export type ResourceQuotaList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: ResourceQuota[] | null;
};

/** ResourceQuotaSpec is the desired state of a resource quota. */
export type ResourceQuotaSpec = {
  /** The hard, by key. */
  hard?: { [key: string]: string };
  /** The list of scopes. */
  scopes?: ('Terminating' | 'NotTerminating' | 'BestEffort' | 'NotBestEffort' | 'PriorityClass' | 'CrossNamespacePodAffinity')[];
  /** The scope selector. */
  scopeSelector?: ScopeSelector;
};

/** ResourceQuotaStatus is the observed state of a resource quota. */
export type ResourceQuotaStatus = {
  /** The hard, by key. */
  hard?: { [key: string]: string };
  /** The used, by key. */
  used?: { [key: string]: string };
};

/** ResourceRequirements says what a container needs and what it may use. */
export type ResourceRequirements = {
  /** The most it may use, by resource. */
  limits?: { [key: string]: string };
  /** The amount that is set aside for it, by resource; the limit when unset. */
  requests?: { [key: string]: string };
  /** Device claims of the pod that it uses. */
  claims?: ResourceClaim[];
};

/** SELinuxOptions is an SELinux label. */
export type SELinuxOptions = {
  /** The user part. */
  user?: string;
  /** The role part. */
  role?: string;
  /** The type part. */
  type?: string;
  /** The level part. */
  level?: string;
};

/** ScaleIOPersistentVolumeSource describes one scale iopersistent volume source. */
export type ScaleIOPersistentVolumeSource = {
  /** The gateway. */
  gateway?: string;
  /** The system. */
  system?: string;
  /** The secret with the credentials for the mount. */
  secretRef?: SecretReference;
  /** Whether ssl enabled applies. */
  sslEnabled?: boolean;
  /** The protection domain. */
  protectionDomain?: string;
  /** The storage pool. */
  storagePool?: string;
  /** The storage mode. */
  storageMode?: string;
  /** The name of the volume. */
  volumeName?: string;
  /** The file system on the volume; the driver's usual one when empty. */
  fsType?: string;
  /** Mount without the right to write. */
  readOnly?: boolean;
};

/** ScaleIOVolumeSource is a volume of ScaleIO. */
export type ScaleIOVolumeSource = {
  /** The address of the gateway. */
  gateway?: string;
  /** The name of the storage system. */
  system?: string;
  /** The secret with the credentials for the mount. */
  secretRef?: LocalObjectReference;
  /** Talk to the gateway over TLS. */
  sslEnabled?: boolean;
  /** The protection domain. */
  protectionDomain?: string;
  /** The storage pool. */
  storagePool?: string;
  /** Thick or thin provisioning. */
  storageMode?: string;
  /** The name of the volume. */
  volumeName?: string;
  /** The file system on the volume; the driver's usual one when empty. */
  fsType?: string;
  /** Mount without the right to write. */
  readOnly?: boolean;
};

/** ScopeSelector describes one scope selector. */
export type ScopeSelector = {
  /** The list of match expressions. */
  matchExpressions?: ScopedResourceSelectorRequirement[];
};

/** ScopedResourceSelectorRequirement describes one scoped resource selector requirement. */
export type ScopedResourceSelectorRequirement = {
  /** The scope name. */
  scopeName?: 'Terminating' | 'NotTerminating' | 'BestEffort' | 'NotBestEffort' | 'PriorityClass' | 'CrossNamespacePodAffinity';
  /** The operator. */
  operator?: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  /** The list of values. */
  values?: string[];
};

/** SeccompProfile chooses a filter of system calls. */
export type SeccompProfile = {
  /** Which kind of filter. */
  type?: 'Unconfined' | 'RuntimeDefault' | 'Localhost';
  /** The file on the node, for type Localhost. */
  localhostProfile?: string;
};

/** Secret holds confidential data of at most 1 MiB. */
export type Secret = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** Once true, the contents can no longer change, and neither can this. */
  immutable?: boolean;
  /** Bytes by key. A key consists of letters, digits, '-', '_' and '.'. */
  data?: { [key: string]: string };
  /** Text by key, for writing only: it is stored in data and never read back. */
  stringData?: { [key: string]: string };
  /** The purpose of the contents; fixed at creation. */
  type?: string;
};

/** SecretEnvSource names a secret whose keys become variables. */
export type SecretEnvSource = {
  /** The name of the object. */
  name?: string;
  /** Whether the object or its key may be missing. */
  optional?: boolean;
};

/** SecretKeySelector names one key of a secret. */
export type SecretKeySelector = {
  /** The name of the object. */
  name?: string;
  /** The key. */
  key?: string;
  /** Whether the object or its key may be missing. */
  optional?: boolean;
};

/** SecretList is a list of Secret objects. */
export type SecretList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: Secret[] | null;
};

/** SecretProjection shows keys of a secret. */
export type SecretProjection = {
  /** The name of the object. */
  name?: string;
  /** The keys to show, and where; all when empty. */
  items?: KeyToPath[];
  /** Whether the object or its key may be missing. */
  optional?: boolean;
};

/** SecretReference describes one secret reference. */
export type SecretReference = {
  /** The name of the object. */
  name?: string;
  /** The namespace of the object. */
  namespace?: string;
};

/** SecretVolumeSource shows the keys of a secret as files. */
export type SecretVolumeSource = {
  /** The name of the secret. */
  secretName?: string;
  /** The keys to show, and where; all when empty. */
  items?: KeyToPath[];
  /** The permission bits of the files. */
  defaultMode?: number;
  /** Whether the object or its key may be missing. */
  optional?: boolean;
};

/** SecurityContext holds the security settings of one container; they win over the pod's. */
export type SecurityContext = {
  /** Capabilities to add and to drop. */
  capabilities?: Capabilities;
  /** Run with all rights on the node. */
  privileged?: boolean;
  /** SELinux labels. */
  seLinuxOptions?: SELinuxOptions;
  /** Settings for Windows. */
  windowsOptions?: WindowsSecurityContextOptions;
  /** The user that the program runs as. */
  runAsUser?: number | bigint;
  /** The primary group that the program runs as. */
  runAsGroup?: number | bigint;
  /** Refuse to start as user 0. */
  runAsNonRoot?: boolean;
  /** Make the root file system read-only. */
  readOnlyRootFilesystem?: boolean;
  /** Whether the program may gain more rights than its parent. */
  allowPrivilegeEscalation?: boolean;
  /** How much of /proc is masked. */
  procMount?: 'Default' | 'Unmasked';
  /** The filter of system calls. */
  seccompProfile?: SeccompProfile;
};

/** SerializedReference is an object of the core group. */
export type SerializedReference = {
  apiVersion?: string;
  kind?: string;
  /** The reference. */
  reference?: ObjectReference;
};

/** Service names a set of pods and the ports through which they are reached. */
export type Service = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: ServiceSpec;
  /** The observed state, written by the system. */
  status?: ServiceStatus;
};

/** ServiceAccount is an identity for processes in pods. */
export type ServiceAccount = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** Secrets that pods of this account may use. */
  secrets?: ObjectReference[];
  /** Secrets with which images are pulled for pods of this account. */
  imagePullSecrets?: LocalObjectReference[];
  /** Whether pods of this account get a token mounted; a pod may say otherwise. */
  automountServiceAccountToken?: boolean;
};

/** ServiceAccountList is a list of ServiceAccount objects. */
export type ServiceAccountList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: ServiceAccount[] | null;
};

/** ServiceAccountTokenProjection shows a token of the service account. */
export type ServiceAccountTokenProjection = {
  /** Who the token is for; the API server when empty. */
  audience?: string;
  /** How long the token is valid; it is renewed in time. */
  expirationSeconds?: number | bigint;
  /** The relative path of the file. */
  path?: string;
};

/** ServiceList is a list of Service objects. */
export type ServiceList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: Service[] | null;
};

/** ServicePort is one port of a service. */
export type ServicePort = {
  /** The name of the port within the service; needed when there are several. */
  name?: string;
  /** The transport protocol of the port. */
  protocol?: 'TCP' | 'UDP' | 'SCTP';
  /** The protocol spoken on the port, as a registered service name or with a domain prefix. */
  appProtocol?: string;
  /** The port that the service listens on. */
  port?: number;
  /** The port of the pods, by number or by the name of a container port; the same port when unset. */
  targetPort?: number | string;
  /** The port on every node, for types that have one; chosen by the server when unset. */
  nodePort?: number;
};

/** ServiceProxyOptions is an object of the core group. */
export type ServiceProxyOptions = {
  apiVersion?: string;
  kind?: string;
  /** The path. */
  path?: string;
};

/** ServiceSpec says how a service is reached and who answers. */
export type ServiceSpec = {
  /** The ports that the service listens on. */
  ports?: ServicePort[];
  /** Labels of the pods that answer; without any, the endpoints are kept by another client. */
  selector?: { [key: string]: string };
  /** The address in the cluster; chosen by the server when empty, none at all for "None". */
  clusterIP?: string;
  /** The addresses in the cluster, at most one a family; the first is clusterIP. */
  clusterIPs?: string[];
  /** How far the service reaches: inside the cluster, through node ports, through a load balancer, or as a DNS alias. */
  type?: 'ClusterIP' | 'NodePort' | 'LoadBalancer' | 'ExternalName';
  /** Further addresses at which nodes accept traffic for the service. */
  externalIPs?: string[];
  /** ClientIP sends a client to the same pod each time. */
  sessionAffinity?: 'ClientIP' | 'None';
  /** The address to ask of the load balancer; deprecated. */
  loadBalancerIP?: string;
  /** Client address ranges that the load balancer lets in. */
  loadBalancerSourceRanges?: string[];
  /** The DNS name that a service of type ExternalName stands for. */
  externalName?: string;
  /** Local sends traffic from outside only to pods on the node it arrived at. */
  externalTrafficPolicy?: 'Cluster' | 'Local';
  /** Where nodes answer the health checks of the load balancer. */
  healthCheckNodePort?: number;
  /** Whether pods that are not ready count as endpoints too. */
  publishNotReadyAddresses?: boolean;
  /** Settings of the session affinity. */
  sessionAffinityConfig?: SessionAffinityConfig;
  /** The address families, the primary one first. */
  ipFamilies?: ('IPv4' | 'IPv6')[];
  /** How many address families the service asks for, and whether it insists. */
  ipFamilyPolicy?: 'SingleStack' | 'PreferDualStack' | 'RequireDualStack';
  /** Whether a load balancer service gets node ports. */
  allocateLoadBalancerNodePorts?: boolean;
  /** The implementation that is to provide the load balancer. */
  loadBalancerClass?: string;
  /** Local sends traffic from inside only to pods on the same node. */
  internalTrafficPolicy?: 'Cluster' | 'Local';
};

/** ServiceStatus is the observed state of a service. */
export type ServiceStatus = {
  /** The addresses that the load balancer gave it. */
  loadBalancer?: LoadBalancerStatus;
  /** Aspects of the current state. */
  conditions?: Condition[];
};

/** SessionAffinityConfig holds the settings of session affinity. */
export type SessionAffinityConfig = {
  /** Settings of affinity by client address. */
  clientIP?: ClientIPConfig;
};

/** StorageOSPersistentVolumeSource describes one storage ospersistent volume source. */
export type StorageOSPersistentVolumeSource = {
  /** The name of the volume. */
  volumeName?: string;
  /** The volume namespace. */
  volumeNamespace?: string;
  /** The file system on the volume; the driver's usual one when empty. */
  fsType?: string;
  /** Mount without the right to write. */
  readOnly?: boolean;
  /** The secret with the credentials for the mount. */
  secretRef?: ObjectReference;
};

/** StorageOSVolumeSource is a volume of StorageOS. */
export type StorageOSVolumeSource = {
  /** The name of the volume. */
  volumeName?: string;
  /** The namespace of the volume at StorageOS. */
  volumeNamespace?: string;
  /** The file system on the volume; the driver's usual one when empty. */
  fsType?: string;
  /** Mount without the right to write. */
  readOnly?: boolean;
  /** The secret with the credentials for the mount. */
  secretRef?: LocalObjectReference;
};

/** Sysctl is a kernel parameter. */
export type Sysctl = {
  /** The name of the parameter. */
  name?: string;
  /** The value of the parameter. */
  value?: string;
};

/** TCPSocketAction opens a TCP connection. */
export type TCPSocketAction = {
  /** The port, by number or name. */
  port?: number | string;
  /** The host to connect to; the pod's address when empty. */
  host?: string;
};

/** Taint describes one taint. */
export type Taint = {
  /** The key. */
  key?: string;
  /** The value. */
  value?: string;
  /** The effect. */
  effect?: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
  /** The time added. RFC 3339, in whole seconds. */
  timeAdded?: string;
};

/** Toleration lets a pod stay on nodes with a matching taint. */
export type Toleration = {
  /** The key of the taint; all keys when empty. */
  key?: string;
  /** Exists, or Equal for the same value. */
  operator?: 'Exists' | 'Equal';
  /** The value of the taint. */
  value?: string;
  /** The effect of the taint; all effects when empty. */
  effect?: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
  /** How long the pod stays on a node with a NoExecute taint; for ever when unset. */
  tolerationSeconds?: number | bigint;
};

/** TopologySelectorLabelRequirement describes one topology selector label requirement. */
export type TopologySelectorLabelRequirement = {
  /** The key. */
  key?: string;
  /** The list of values. */
  values?: string[] | null;
};

/** TopologySelectorTerm describes one topology selector term. */
export type TopologySelectorTerm = {
  /** The list of match label expressions. */
  matchLabelExpressions?: TopologySelectorLabelRequirement[];
};

/** TopologySpreadConstraint says how evenly pods spread over places. */
export type TopologySpreadConstraint = {
  /** How much fuller than the emptiest a place may be. */
  maxSkew?: number;
  /** The node label whose values are the places. */
  topologyKey?: string;
  /** Whether to wait or to place anyway. */
  whenUnsatisfiable?: 'DoNotSchedule' | 'ScheduleAnyway';
  /** Labels of the pods that count. */
  labelSelector?: LabelSelector;
  /** How many places there should be at least. */
  minDomains?: number;
  /** Whether the pod's node affinity limits the places. */
  nodeAffinityPolicy?: 'Ignore' | 'Honor';
  /** Whether taints limit the places. */
  nodeTaintsPolicy?: 'Ignore' | 'Honor';
  /** Labels whose own values the counted pods share. */
  matchLabelKeys?: string[];
};

/** TypedLocalObjectReference names an object of the same namespace and its type. */
export type TypedLocalObjectReference = {
  /** The API group of the object; the core group when empty. */
  apiGroup?: string;
  /** The kind of the object. */
  kind?: string;
  /** The name of the object. */
  name?: string;
};

/** TypedObjectReference names an object and its type. */
export type TypedObjectReference = {
  /** The API group of the object; the core group when empty. */
  apiGroup?: string;
  /** The kind of the object. */
  kind?: string;
  /** The name of the object. */
  name?: string;
  /** The namespace of the object. */
  namespace?: string;
};

/** Volume is a directory that containers of a pod can share. */
export type Volume = {
  /** The name of the volume, unique in the pod. */
  name?: string;
  /** A path of the node. */
  hostPath?: HostPathVolumeSource;
  /** A directory that lives as long as the pod. */
  emptyDir?: EmptyDirVolumeSource;
  /** A disk of Google Compute Engine; deprecated. */
  gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  /** A disk of Amazon Web Services; deprecated. */
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  /** A clone of a Git repository; deprecated. */
  gitRepo?: GitRepoVolumeSource;
  /** The keys of a secret as files. */
  secret?: SecretVolumeSource;
  /** A directory of an NFS server. */
  nfs?: NFSVolumeSource;
  /** A disk over iSCSI. */
  iscsi?: ISCSIVolumeSource;
  /** A volume of GlusterFS; deprecated. */
  glusterfs?: GlusterfsVolumeSource;
  /** A volume claimed in the same namespace. */
  persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
  /** A block device of Ceph. */
  rbd?: RBDVolumeSource;
  /** A volume of a plugin on the node; deprecated. */
  flexVolume?: FlexVolumeSource;
  /** A disk of OpenStack; deprecated. */
  cinder?: CinderVolumeSource;
  /** A file system of Ceph. */
  cephfs?: CephFSVolumeSource;
  /** A dataset of Flocker; deprecated. */
  flocker?: FlockerVolumeSource;
  /** Fields of the pod as files. */
  downwardAPI?: DownwardAPIVolumeSource;
  /** A disk over Fibre Channel. */
  fc?: FCVolumeSource;
  /** A file share of Azure; deprecated. */
  azureFile?: AzureFileVolumeSource;
  /** The keys of a config map as files. */
  configMap?: ConfigMapVolumeSource;
  /** A disk of vSphere; deprecated. */
  vsphereVolume?: VsphereVirtualDiskVolumeSource;
  /** A volume of Quobyte; deprecated. */
  quobyte?: QuobyteVolumeSource;
  /** A disk of Azure; deprecated. */
  azureDisk?: AzureDiskVolumeSource;
  /** A disk of Photon; deprecated. */
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  /** Several sources in one directory. */
  projected?: ProjectedVolumeSource;
  /** A volume of Portworx; deprecated. */
  portworxVolume?: PortworxVolumeSource;
  /** A volume of ScaleIO; deprecated. */
  scaleIO?: ScaleIOVolumeSource;
  /** A volume of StorageOS; deprecated. */
  storageos?: StorageOSVolumeSource;
  /** A volume that a CSI driver makes for the pod. */
  csi?: CSIVolumeSource;
  /** A volume claimed for the pod and deleted with it. */
  ephemeral?: EphemeralVolumeSource;
};

/** VolumeDevice attaches a volume as a block device. */
export type VolumeDevice = {
  /** The name of the volume. */
  name?: string;
  /** The path of the device in the container. */
  devicePath?: string;
};

/** VolumeMount puts a volume into the file system of a container. */
export type VolumeMount = {
  /** The name of the volume. */
  name?: string;
  /** Mount without the right to write. */
  readOnly?: boolean;
  /** The directory in the container. */
  mountPath?: string;
  /** The directory within the volume; its root when empty. */
  subPath?: string;
  /** Whether mounts on one side appear on the other. */
  mountPropagation?: 'None' | 'HostToContainer' | 'Bidirectional';
  /** Like subPath, with variables $(NAME) replaced. */
  subPathExpr?: string;
};

/** VolumeNodeAffinity describes one volume node affinity. */
export type VolumeNodeAffinity = {
  /** The required. */
  required?: NodeSelector;
};

/** VolumeProjection is one source of a projected volume. */
export type VolumeProjection = {
  /** Keys of a secret. */
  secret?: SecretProjection;
  /** Fields of the pod. */
  downwardAPI?: DownwardAPIProjection;
  /** Keys of a config map. */
  configMap?: ConfigMapProjection;
  /** A token of the service account. */
  serviceAccountToken?: ServiceAccountTokenProjection;
};

/** VolumeSource is exactly one place that a volume's content comes from. */
export type VolumeSource = {
  /** A path of the node. */
  hostPath?: HostPathVolumeSource;
  /** A directory that lives as long as the pod. */
  emptyDir?: EmptyDirVolumeSource;
  /** A disk of Google Compute Engine; deprecated. */
  gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  /** A disk of Amazon Web Services; deprecated. */
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  /** A clone of a Git repository; deprecated. */
  gitRepo?: GitRepoVolumeSource;
  /** The keys of a secret as files. */
  secret?: SecretVolumeSource;
  /** A directory of an NFS server. */
  nfs?: NFSVolumeSource;
  /** A disk over iSCSI. */
  iscsi?: ISCSIVolumeSource;
  /** A volume of GlusterFS; deprecated. */
  glusterfs?: GlusterfsVolumeSource;
  /** A volume claimed in the same namespace. */
  persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
  /** A block device of Ceph. */
  rbd?: RBDVolumeSource;
  /** A volume of a plugin on the node; deprecated. */
  flexVolume?: FlexVolumeSource;
  /** A disk of OpenStack; deprecated. */
  cinder?: CinderVolumeSource;
  /** A file system of Ceph. */
  cephfs?: CephFSVolumeSource;
  /** A dataset of Flocker; deprecated. */
  flocker?: FlockerVolumeSource;
  /** Fields of the pod as files. */
  downwardAPI?: DownwardAPIVolumeSource;
  /** A disk over Fibre Channel. */
  fc?: FCVolumeSource;
  /** A file share of Azure; deprecated. */
  azureFile?: AzureFileVolumeSource;
  /** The keys of a config map as files. */
  configMap?: ConfigMapVolumeSource;
  /** A disk of vSphere; deprecated. */
  vsphereVolume?: VsphereVirtualDiskVolumeSource;
  /** A volume of Quobyte; deprecated. */
  quobyte?: QuobyteVolumeSource;
  /** A disk of Azure; deprecated. */
  azureDisk?: AzureDiskVolumeSource;
  /** A disk of Photon; deprecated. */
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  /** Several sources in one directory. */
  projected?: ProjectedVolumeSource;
  /** A volume of Portworx; deprecated. */
  portworxVolume?: PortworxVolumeSource;
  /** A volume of ScaleIO; deprecated. */
  scaleIO?: ScaleIOVolumeSource;
  /** A volume of StorageOS; deprecated. */
  storageos?: StorageOSVolumeSource;
  /** A volume that a CSI driver makes for the pod. */
  csi?: CSIVolumeSource;
  /** A volume claimed for the pod and deleted with it. */
  ephemeral?: EphemeralVolumeSource;
};

/** VsphereVirtualDiskVolumeSource is a disk of vSphere. */
export type VsphereVirtualDiskVolumeSource = {
  /** The path of the disk. */
  volumePath?: string;
  /** The file system on the volume; the driver's usual one when empty. */
  fsType?: string;
  /** The name of the storage policy. */
  storagePolicyName?: string;
  /** The identifier of the storage policy. */
  storagePolicyID?: string;
};

/** WeightedPodAffinityTerm is a preference for places, with its weight. */
export type WeightedPodAffinityTerm = {
  /** How much it counts, from 1 to 100. */
  weight?: number;
  /** The pods meant. */
  podAffinityTerm?: PodAffinityTerm;
};

/** WindowsSecurityContextOptions holds security settings for Windows. */
export type WindowsSecurityContextOptions = {
  /** The name of the group account's credential specification. */
  gmsaCredentialSpecName?: string;
  /** The group account's credential specification. */
  gmsaCredentialSpec?: string;
  /** The user that the program runs as. */
  runAsUserName?: string;
  /** Run as a process of the node. */
  hostProcess?: boolean;
};
