import type { Container, Pod, PodSpec } from '../../generated/core/v1.ts';
import { volumeSources } from './volumes/volume-sources.ts';

/** Applies the defaults of a pod that depend on other fields; the proto declares simple defaults. */
export function applyPodDefaults(object: Pod): void {
  const spec = object.spec ?? {};
  spec.enableServiceLinks ??= true;
  applyPodSpecDefaults(spec);
  for (const container of [...(spec.containers ?? []), ...(spec.initContainers ?? [])])
    requestWhatIsLimited(container);
  matchPodAddresses(object);
}

/**
 * Applies the defaults of a pod's spec, also within a template: pull policies, host ports, empty volumes, and both names of the
 * service account.
 */
export function applyPodSpecDefaults(spec: PodSpec): void {
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    applyPullPolicy(container);
    if (spec.hostNetwork === true) applyHostPorts(container);
  }
  for (const container of spec.ephemeralContainers ?? []) applyPullPolicy(container);
  for (const volume of spec.volumes ?? [])
    if (!volumeSources.some(source => volume[source] !== undefined && volume[source] !== null))
      volume.emptyDir = {};
  // serviceAccount is the deprecated name; both are set, so that old and new clients find it.
  const account = spec.serviceAccountName || (spec.serviceAccount ?? '');
  if (account === '') return;
  spec.serviceAccountName = account;
  spec.serviceAccount = account;
}

/** Returns the default pull policy of an image: Always for the tag `latest` and for images without tag and digest. */
export function pullPolicyFromImage(image: string): 'Always' | 'IfNotPresent' {
  const [name = '', digest] = image.split('@');
  const tag = /:([\w][\w.-]*)$/.exec(name.slice(name.lastIndexOf('/') + 1))?.[1];
  if (tag === 'latest') return 'Always';
  return tag === undefined && digest === undefined && image !== '' ? 'Always' : 'IfNotPresent';
}

function applyPullPolicy(container: Container): void {
  if ((container.imagePullPolicy ?? '') === '')
    container.imagePullPolicy = pullPolicyFromImage(container.image ?? '');
}

/** Port 0 counts as absent: stored, it would be an empty value that clients do not read. */
function applyHostPorts(container: Container): void {
  for (const port of container.ports ?? []) {
    const { hostPort = 0, containerPort = 0 } = port;
    if (hostPort === 0 && containerPort !== 0) port.hostPort = containerPort;
  }
}

function requestWhatIsLimited(container: Container): void {
  const resources = container.resources;
  const limits = resources?.limits;
  if (!resources || !limits) return;
  for (const [name, limit] of Object.entries(limits)) {
    resources.requests ??= {};
    resources.requests[name] ??= limit;
  }
}

/** Aligns podIP and the first of podIPs, so that old and new clients find the address. */
function matchPodAddresses(object: Pod): void {
  const status = object.status;
  if (!status) return;
  const address = status.podIP ?? '';
  const first = status.podIPs?.[0]?.ip ?? '';
  if (address === '' && first !== '') status.podIP = first;
  else if (address !== first) status.podIPs = [{ ip: address }];
}
