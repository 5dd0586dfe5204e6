import { type ApiObject, copyJson, type FieldError, fieldPath, forbiddenField } from '@binnacle/api-objects';
import type { Pod, PodSpec } from '../../../generated/core/v1.ts';
import { equalMessages } from '../../../values/equal-values.ts';

/** Applies only the ephemeral containers of an object; everything else keeps the stored values. */
export function keepEphemeralContainers(object: Pod, old: Pod): void {
  const wanted = object.spec?.ephemeralContainers;
  const { resourceVersion } = object.metadata;
  replaceContent(object, copyJson(old));
  if (resourceVersion !== undefined) object.metadata.resourceVersion = resourceVersion;
  if (wanted === undefined) {
    delete object.spec?.ephemeralContainers;
    return;
  }
  object.spec ??= {};
  object.spec.ephemeralContainers = wanted;
}

function replaceContent(object: ApiObject, content: ApiObject): void {
  for (const name of Object.keys(object)) delete object[name];
  Object.assign(object, content);
}

/** Validates a change of ephemeral containers: existing ones are immutable, new ones may be added. */
export function ephemeralContainersErrors(spec: PodSpec, old: PodSpec): FieldError[] {
  const path = fieldPath('spec', 'ephemeralContainers');
  const wanted = new Map(
    (spec.ephemeralContainers ?? []).map(container => [container.name ?? '', container]),
  );
  return (old.ephemeralContainers ?? []).flatMap(known => {
    const name = known.name ?? '';
    const now = wanted.get(name);
    if (now && equalMessages('core.v1.EphemeralContainer', known, now)) return [];
    const change = now ? 'changed' : 'removed';
    return [
      forbiddenField(path, `existing ephemeral containers ${JSON.stringify(name)} may not be ${change}`),
    ];
  });
}
