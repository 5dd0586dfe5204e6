import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import { asObject, asObjects, asText } from '@binnacle/api-types';
import { annotationOf } from '../pods/annotations.ts';

/** Whether an update of a pod changes anything that a level could have something against. */
export function isSignificantUpdate(pod: ApiObject, old: ApiObject): boolean {
  const spec = asObject(pod['spec']) ?? {};
  const oldSpec = asObject(old['spec']) ?? {};
  const haveFixedLength = ['containers', 'initContainers'] as const;
  if (haveFixedLength.some(list => asObjects(spec[list]).length !== asObjects(oldSpec[list]).length))
    return true;
  return [...haveFixedLength, 'ephemeralContainers'].some(list => {
    const before = new Map(asObjects(oldSpec[list]).map(container => [container['name'], container]));
    return asObjects(spec[list]).some(container =>
      isOtherContainer({ container, pod }, { container: before.get(container['name'] ?? null), pod: old }),
    );
  });
}

function isOtherContainer(
  now: { readonly container: JsonObject; readonly pod: ApiObject },
  before: { readonly container: JsonObject | undefined; readonly pod: ApiObject },
): boolean {
  if (now.container['image'] !== before.container?.['image']) return true;
  const name = asText(now.container['name']);
  const filterOf = (pod: ApiObject) => annotationOf(pod.metadata, name, 'container.seccomp.security.alpha.');
  return filterOf(now.pod) !== filterOf(before.pod);
}
