import { understood } from '@binnacle/api-names';
import type { Pod, PodSpec } from '@binnacle/api-types/core/v1';
import { annotationValues } from '../pods/annotations.ts';
import { containerSecrets, pullSecrets, volumeSecrets } from './secret-references.ts';

/** Whether a pod is a mirror pod: the API's copy of a pod that a node runs from its own files. */
export function isMirrorPod(pod: Pod): boolean {
  return annotationValues(pod.metadata, understood.annotations.configMirror).length > 0;
}

/** Finds an object that a mirror pod must not refer to. */
export function forbiddenInMirrorPod(spec: PodSpec): string | undefined {
  if ((spec.serviceAccountName ?? '') !== '') return 'service accounts';
  if ([...pullSecrets(spec), ...containerSecrets(spec), ...volumeSecrets(spec)].length > 0) return 'secrets';
  const tokens = (spec.volumes ?? [])
    .flatMap(volume => volume.projected?.sources ?? [])
    .filter(source => source.serviceAccountToken !== undefined);
  return tokens.length > 0 ? 'service account tokens in projected volumes' : undefined;
}
