import type { JsonObject } from '@binnacle/api-objects';
import { asObject, asText } from '@binnacle/api-types';
import { everyContainerOf } from '../../pods/containers.ts';

/** The security context of a pod's spec or of a container; empty when there is none. */
export function securityContextOf(owner: JsonObject): JsonObject {
  return asObject(owner['securityContext']) ?? {};
}

/** The containers of a pod, of all sorts, for which a question is answered with yes. */
export function containersThat(spec: JsonObject, question: (container: JsonObject) => boolean): JsonObject[] {
  return everyContainerOf(spec).filter(question);
}

/** Who breaks a rule: `pod`, `container "a"`, `pod and containers "a", "b"`. */
export function offendersText(isPod: boolean, containers: readonly JsonObject[]): string {
  const names = containers.map(container => JSON.stringify(asText(container['name'])));
  const listed = names.length === 0 ? '' : `container${names.length > 1 ? 's' : ''} ${names.join(', ')}`;
  return [isPod ? 'pod' : '', listed].filter(text => text !== '').join(' and ');
}

/** Texts in quotes, each once, in order. */
export function quoted(texts: Iterable<string>): string {
  return [...new Set(texts)]
    .sort()
    .map(text => JSON.stringify(text))
    .join(', ');
}

/** Whether a pod says that it runs on Windows, where some rules mean nothing. */
export function isForWindows(spec: JsonObject): boolean {
  return asObject(spec['os'])?.['name'] === 'windows';
}
