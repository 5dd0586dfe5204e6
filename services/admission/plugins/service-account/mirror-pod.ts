import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import { asObject, asObjects, asText } from '@binnacle/api-types';
import { annotationOf } from '../pods/annotations.ts';
import { containerSecrets, pullSecrets, volumeSecrets } from './secret-references.ts';

/** Whether a pod is the API's copy of one that a node runs by itself. */
export function isMirrorPod(pod: ApiObject): boolean {
  return annotationOf(pod.metadata, 'config.mirror') !== undefined;
}

/** What such a pod refers to that it may not have; undefined when there is nothing. */
export function forbiddenInMirrorPod(spec: JsonObject): string | undefined {
  if (asText(spec['serviceAccountName']) !== '') return 'service accounts';
  if ([...pullSecrets(spec), ...containerSecrets(spec), ...volumeSecrets(spec)].length > 0) return 'secrets';
  const tokens = asObjects(spec['volumes'])
    .flatMap(volume => asObjects(asObject(volume['projected'])?.['sources']))
    .filter(source => asObject(source['serviceAccountToken']) !== undefined);
  return tokens.length > 0 ? 'service account tokens in projected volumes' : undefined;
}
