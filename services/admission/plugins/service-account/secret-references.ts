import type { JsonObject } from '@binnacle/api-objects';
import { asObject, asObjects, asText } from '@binnacle/api-types';
import { everyContainerOf } from '../pods/containers.ts';

/** The secrets that a pod's images are pulled with. */
export function pullSecrets(spec: JsonObject): string[] {
  return asObjects(spec['imagePullSecrets']).map(({ name }) => asText(name));
}

/** The secrets that the environment of containers is made from. */
export function containerSecrets(spec: JsonObject): string[] {
  return everyContainerOf(spec).flatMap(environmentSecrets);
}

/** The secrets that the environment of one container is made from. */
export function environmentSecrets(container: JsonObject): string[] {
  const single = asObjects(container['env']).map(
    variable => asObject(variable['valueFrom'])?.['secretKeyRef'],
  );
  const whole = asObjects(container['envFrom']).map(source => source['secretRef']);
  return [...single, ...whole].flatMap(reference => namesIn(reference));
}

const kindsWithReference = ['cephfs', 'cinder', 'flexVolume', 'rbd', 'scaleIO', 'iscsi', 'storageos'];

/** The secrets that volumes of any kind refer to. */
export function volumeSecrets(spec: JsonObject): string[] {
  return asObjects(spec['volumes']).flatMap(volume => [
    ...namesIn(volume['azureFile'], 'secretName'),
    ...namesIn(volume['secret'], 'secretName'),
    ...kindsWithReference.flatMap(kind => namesIn(asObject(volume[kind])?.['secretRef'])),
    ...namesIn(asObject(volume['csi'])?.['nodePublishSecretRef']),
    ...asObjects(asObject(volume['projected'])?.['sources']).flatMap(source => namesIn(source['secret'])),
  ]);
}

/** The secrets that stand in volumes of their own. */
export function mountedSecrets(spec: JsonObject): string[] {
  return asObjects(spec['volumes']).flatMap(volume => namesIn(volume['secret'], 'secretName'));
}

function namesIn(reference: unknown, field = 'name'): string[] {
  const found = asObject(reference);
  return found === undefined ? [] : [asText(found[field])];
}
