import type { Container, PodSpec } from '@binnacle/api-types/core/v1';
import { listEveryContainer } from '../../pods/containers.ts';

/** Finds the containers of a pod, init and ephemeral ones included, that fulfil a condition. */
export function containersThat(spec: PodSpec, question: (container: Container) => boolean): Container[] {
  return listEveryContainer(spec).filter(question);
}

/** Formats the offenders of a rule: `pod`, `container "a"`, `pod and containers "a", "b"`. */
export function offendersText(isPod: boolean, containers: readonly Container[]): string {
  const names = containers.map(({ name = '' }) => JSON.stringify(name));
  const listed = names.length === 0 ? '' : `container${names.length > 1 ? 's' : ''} ${names.join(', ')}`;
  return [isPod ? 'pod' : '', listed].filter(text => text !== '').join(' and ');
}

/** Formats texts in quotes, without repetitions, in order. */
export function quoted(texts: Iterable<string>): string {
  return [...new Set(texts)]
    .sort()
    .map(text => JSON.stringify(text))
    .join(', ');
}

/** Whether a pod declares Windows as its system, to which some rules do not apply. */
export function isForWindows({ os }: PodSpec): boolean {
  return os?.name === 'windows';
}
