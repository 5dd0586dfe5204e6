import { annotationTable } from '@binnacle/api-names/table';
import { equalJson, isJsonObject, type JsonObject } from '@binnacle/api-objects';
import { objectIn, textIn } from '../objects/page.ts';

/** Two states of an object; the first is undefined for one that does not exist. */
export interface States {
  readonly live: JsonObject | undefined;
  readonly merged: JsonObject;
}

const mask = '***';
const maskBefore = '*** (before)';
const maskAfter = '*** (after)';

/**
 * The states of a Secret without its values: equal values, and those of one state alone, are `***`; values that differ are
 * `*** (before)` and `*** (after)`. So is the annotation with the object as kubectl last applied it. Other objects stay as they are.
 */
export function maskSecret(states: States): States {
  const { live, merged } = states;
  if (textIn(merged, 'apiVersion') !== 'v1' || textIn(merged, 'kind') !== 'Secret') return states;
  return {
    live: live && masked(live, { other: merged, changed: maskBefore }),
    merged: masked(merged, { other: live ?? {}, changed: maskAfter }),
  };
}

interface Masking {
  readonly other: JsonObject;
  /** The mask of values that the other state has otherwise. */
  readonly changed: string;
}

function masked(secret: JsonObject, { other, changed }: Masking): JsonObject {
  const maskAll = (values: JsonObject, others: JsonObject, isSecret: (name: string) => boolean) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => {
        if (!isSecret(name)) return [name, value];
        const before = others[name];
        return [name, before === undefined || equalJson(before, value) ? mask : changed];
      }),
    );
  const result: JsonObject = { ...secret };
  for (const name of ['data', 'stringData'])
    if (isJsonObject(secret[name])) result[name] = maskAll(secret[name], objectIn(other, name), () => true);
  const metadata = objectIn(secret, 'metadata');
  if (isJsonObject(metadata['annotations'])) {
    const others = objectIn(objectIn(other, 'metadata'), 'annotations');
    const annotations = maskAll(metadata['annotations'], others, name =>
      annotationTable.lastApplied.some(each => each === name),
    );
    result['metadata'] = { ...metadata, annotations };
  }
  return result;
}
