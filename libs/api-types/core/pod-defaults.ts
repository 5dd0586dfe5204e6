import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import { asNumber, asObject, asObjects, asText, ensureObject } from '../values/json-access.ts';
import { specOf } from './service-facts.ts';
import { volumeSources } from './volume-sources.ts';

/** The defaults of a pod that depend on other fields; the plain ones stand in the definition. */
export function applyPodDefaults(object: ApiObject): void {
  const spec = specOf(object);
  spec['enableServiceLinks'] ??= true;
  applyPodSpecDefaults(spec);
  for (const container of [...asObjects(spec['containers']), ...asObjects(spec['initContainers'])])
    requestWhatIsLimited(container);
  matchPodAddresses(object);
}

/** The defaults of a pod's spec, also within a template: pull policies, host ports, empty volumes, the account's two names. */
export function applyPodSpecDefaults(spec: JsonObject): void {
  for (const list of ['initContainers', 'containers', 'ephemeralContainers'])
    for (const container of asObjects(spec[list]))
      applyContainerDefaults(container, spec['hostNetwork'] === true);
  for (const volume of asObjects(spec['volumes']))
    if (!volumeSources().some(source => volume[source] !== undefined && volume[source] !== null))
      volume['emptyDir'] = {};
  // serviceAccount is the old name; clients of either find what they look for.
  const account = asText(spec['serviceAccountName']) || asText(spec['serviceAccount']);
  if (account === '') return;
  spec['serviceAccountName'] = account;
  spec['serviceAccount'] = account;
}

/** Whether a node must ask the registry each time: only tags that are meant to move demand it. */
export function pullPolicyOf(image: string): 'Always' | 'IfNotPresent' {
  const [name = '', digest] = image.split('@');
  const tag = /:([\w][\w.-]*)$/.exec(name.slice(name.lastIndexOf('/') + 1))?.[1];
  if (tag === 'latest') return 'Always';
  return tag === undefined && digest === undefined && image !== '' ? 'Always' : 'IfNotPresent';
}

function applyContainerDefaults(container: JsonObject, isOnHostNetwork: boolean): void {
  if (asText(container['imagePullPolicy']) === '')
    container['imagePullPolicy'] = pullPolicyOf(asText(container['image']));
  if (!isOnHostNetwork) return;
  for (const port of asObjects(container['ports']))
    if (asNumber(port['hostPort']) === 0 && port['containerPort'] !== undefined)
      port['hostPort'] = port['containerPort'];
}

function requestWhatIsLimited(container: JsonObject): void {
  const resources = asObject(container['resources']);
  const limits = asObject(resources?.['limits']);
  if (!resources || !limits) return;
  for (const [name, limit] of Object.entries(limits)) {
    const requests = ensureObject(resources, 'requests');
    requests[name] ??= limit;
  }
}

/** The address and the first of the addresses are the same; clients of either find what they look for. */
function matchPodAddresses(object: ApiObject): void {
  const status = asObject(object['status']);
  if (!status) return;
  const address = asText(status['podIP']);
  const first = asText(asObjects(status['podIPs'])[0]?.['ip']);
  if (address === '' && first !== '') status['podIP'] = first;
  else if (address !== first) status['podIPs'] = [{ ip: address }];
}
