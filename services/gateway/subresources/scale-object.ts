import {
  type ApiObject,
  copyJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  labelSelectorFrom,
  ownProperty,
  setOwnProperty,
} from '@binnacle/api-objects';
import type { ScalePaths } from '@binnacle/api-types';
import type { Scale } from '@binnacle/api-types/autoscaling/v1';
import { internalError } from '@binnacle/status-errors';

/**
 * The Scale of an object. Where the object lacks the number that is asked for it is `unset`; without that an internal
 * error is thrown.
 */
export function scaleFrom(
  object: ApiObject,
  paths: ScalePaths,
  { unset }: { readonly unset?: number } = {},
): Scale {
  const wanted = valueAt(object, paths.specReplicasPath) ?? unset;
  if (typeof wanted !== 'number')
    throw internalError(`the spec replicas field ${JSON.stringify(paths.specReplicasPath)} does not exist`);
  const actual = valueAt(object, paths.statusReplicasPath);
  const selector = paths.labelSelectorPath === undefined ? '' : selectorText(object, paths.labelSelectorPath);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: pickIdentity(object),
    spec: wanted === 0 ? {} : { replicas: wanted },
    status: {
      replicas: typeof actual === 'number' ? actual : 0,
      ...(selector === '' ? {} : { selector }),
    },
  };
}

/** The number of replicas that a Scale asks for. */
export function replicasOf({ spec }: Scale): number {
  return spec?.replicas ?? 0;
}

/** A copy of an object that asks for so many replicas. */
export function withReplicas(
  object: ApiObject,
  { specReplicasPath }: ScalePaths,
  replicas: number,
): ApiObject {
  const copy = copyJson(object);
  const names = pathNames(specReplicasPath);
  let parent: JsonObject = copy;
  for (const name of names.slice(0, -1)) {
    const child = ownProperty(parent, name);
    const next = isJsonObject(child) ? child : {};
    if (next !== child) setOwnProperty(parent, name, next);
    parent = next;
  }
  setOwnProperty(parent, names.at(-1) ?? '', replicas);
  return copy;
}

function selectorText(object: ApiObject, path: string): string {
  const selector = valueAt(object, path);
  if (typeof selector === 'string') return selector;
  if (!isJsonObject(selector)) return '';
  const { matchLabels, matchExpressions } = selector;
  const isStructured = isJsonObject(matchLabels) || Array.isArray(matchExpressions);
  return labelSelectorFrom(isStructured ? selector : { matchLabels: selector }).toString();
}

function valueAt(object: ApiObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const name of pathNames(path)) value = isJsonObject(value) ? ownProperty(value, name) : undefined;
  return value;
}

/** The names in a path: `.spec.replicas` has `spec` and `replicas`. */
export function pathNames(path: string): string[] {
  return path.replace(/^\./, '').split('.');
}

/** The metadata of a Scale: the fields that identify the object and its state. */
function pickIdentity({ metadata }: ApiObject): ApiObject['metadata'] {
  const shown = ['name', 'namespace', 'uid', 'resourceVersion', 'creationTimestamp'];
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => shown.includes(key)));
}
