import type { Container, PodSpec } from '@binnacle/api-types/core/v1';
import { listEveryContainer } from '../../pods/containers.ts';

/** The containers of a pod, of all sorts, for which a question is answered with yes. */
export function containersThat(spec: PodSpec, question: (container: Container) => boolean): Container[] {
  return listEveryContainer(spec).filter(question);
}

/** Who breaks a rule: `pod`, `container "a"`, `pod and containers "a", "b"`. */
export function offendersText(isPod: boolean, containers: readonly Container[]): string {
  const names = containers.map(({ name = '' }) => JSON.stringify(name));
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
export function isForWindows({ os }: PodSpec): boolean {
  return os?.name === 'windows';
}
