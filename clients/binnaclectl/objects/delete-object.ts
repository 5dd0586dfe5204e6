import type { JsonObject } from '@binnacle/api-objects';
import type { DirectClient } from '@binnacle/client';
import { objectIn, textIn } from './page.ts';
import type { Place } from './place.ts';

/** Options of a deletion. */
interface DeletionOptions {
  readonly cascade: 'background' | 'foreground' | 'orphan';
  /** -1 and undefined: as the object's kind says. */
  readonly gracePeriod: number | undefined;
  readonly dryRun: 'none' | 'server';
}

/** An object whose deletion was accepted. */
export interface DeletedObject {
  readonly place: Place;
  /** Empty where the server does not say it. */
  readonly uid: string;
}

const policies = { background: 'Background', foreground: 'Foreground', orphan: 'Orphan' };

/** Deletes the object at a place; it may exist until its finalizers are removed. */
export async function deleteObject(
  client: Pick<DirectClient, 'json'>,
  place: Place,
  { cascade, gracePeriod = -1, dryRun }: DeletionOptions,
): Promise<DeletedObject> {
  const answer = await client.json<JsonObject>({
    method: 'DELETE',
    path: place.path,
    body: {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      propagationPolicy: policies[cascade],
      ...(gracePeriod >= 0 && { gracePeriodSeconds: gracePeriod }),
      ...(dryRun === 'server' && { dryRun: ['All'] }),
    },
  });
  // A Status when the object is gone, the object when it is still there.
  const uid = textIn(objectIn(answer, 'details'), 'uid') || textIn(objectIn(answer, 'metadata'), 'uid');
  return { place, uid };
}
