import { understood } from '@binnacle/api-names';
import { equalJson } from '@binnacle/api-objects';
import type { Container, Pod } from '@binnacle/api-types/core/v1';
import { annotationValues } from '../pods/annotations.ts';

/** The beginnings of the keys of annotations that say how a container is confined, each in every form that is understood. */
const confinements = [understood.annotations.seccompContainer, understood.annotations.appArmor];

/** Whether an update of a pod changes anything that a level could have something against. */
export function isSignificantUpdate(pod: Pod, old: Pod): boolean {
  const { spec = {} } = pod;
  const { spec: oldSpec = {} } = old;
  const haveFixedLength = ['containers', 'initContainers'] as const;
  if (haveFixedLength.some(list => (spec[list] ?? []).length !== (oldSpec[list] ?? []).length)) return true;
  return ([...haveFixedLength, 'ephemeralContainers'] as const).some(list => {
    const before = new Map<string, Container>();
    for (const container of oldSpec[list] ?? []) before.set(container.name ?? '', container);
    return (spec[list] ?? []).some(container =>
      isOtherContainer({ container, pod }, { container: before.get(container.name ?? ''), pod: old }),
    );
  });
}

function isOtherContainer(
  now: { readonly container: Container; readonly pod: Pod },
  before: { readonly container: Container | undefined; readonly pod: Pod },
): boolean {
  if (now.container.image !== before.container?.image) return true;
  const { name = '' } = now.container;
  return confinements.some(prefixes => {
    const keys = prefixes.map(prefix => prefix + name);
    const valuesOf = (pod: Pod) => annotationValues(pod.metadata, keys);
    return !equalJson(valuesOf(now.pod), valuesOf(before.pod));
  });
}
