import type { ObjectPlace } from '@binnacle/binnaclectl/testing';
import { pickOne, type Random } from '../../../fuzz/random.ts';
import type { WriteRequest } from '../recording/recorder.ts';
import { valueAnnotation } from '../recording/written-object.ts';
import { anyDoor, pauseBetween, type SuiteContext } from './suite-context.ts';
import type { Watcher } from './watcher.ts';

/** The namespace of the registers. */
export const registerNamespace = 'faults-registers';
const collectionPath = `/api/v1/namespaces/${registerNamespace}/configmaps`;
const registerCount = 12;
const meanPauseMs = 120;

/** Out of a hundred decisions. */
const shares = { get: 25, updateSeen: 30, updateRead: 20, updateAny: 8, patch: 9, create: 4, delete: 4 };

/**
 * A controller: knows objects by its watcher, which may be behind, or by a read, and writes them with the version that it
 * knows as precondition; sometimes without one. All controllers write the same few objects.
 */
export async function runController(
  name: string,
  watcher: Watcher,
  context: SuiteContext,
  random: Random,
): Promise<void> {
  for (let count = 0; !context.signal.aborted; count++) {
    const place = {
      resource: 'configmaps',
      namespace: registerNamespace,
      name: `register-${random(registerCount)}`,
    };
    await step({ name, place, value: `${name}-${count}`, watcher, context, random });
    await pauseBetween(context, random, meanPauseMs);
  }
}

interface Step {
  /** Of the controller. */
  readonly name: string;
  readonly place: ObjectPlace;
  readonly value: string;
  readonly watcher: Watcher;
  readonly context: SuiteContext;
  readonly random: Random;
}

async function step({ name, place, value, watcher, context, random }: Step): Promise<void> {
  const { recorder } = context;
  const door = anyDoor(context, random);
  const path = `${collectionPath}/${place.name}`;
  const base = { client: name, ...place };
  const write = (request: Omit<WriteRequest, 'client' | keyof ObjectPlace>) =>
    recorder.write(door, { ...base, ...request });
  const body = (precondition?: string) => createObject(place.name, value, precondition);
  const update = (precondition?: string) => {
    const request = { method: 'PUT', path, body: body(precondition) } as const;
    return write({ verb: 'update', value, request, ...(precondition === undefined ? {} : { precondition }) });
  };
  const decision = decide(random);
  if (decision === 'get') await recorder.read(door, name, place, path);
  else if (decision === 'delete') await write({ verb: 'delete', request: { method: 'DELETE', path } });
  else if (decision === 'updateAny') await update();
  else if (decision === 'updateSeen' && watcher.versions.has(place.name))
    await update(watcher.versions.get(place.name));
  else if (decision === 'updateRead') {
    const found = await recorder.read(anyDoor(context, random), name, place, path);
    if (found) await update(found.metadata.resourceVersion);
  } else if (decision === 'patch') {
    const request = {
      method: 'PATCH',
      path,
      contentType: 'application/merge-patch+json',
      body: createPatch(value),
    } as const;
    await write({ verb: 'update', value, request });
  } else
    await write({ verb: 'create', value, request: { method: 'POST', path: collectionPath, body: body() } });
}

function decide(random: Random): keyof typeof shares {
  let rest = random(100);
  for (const [decision, share] of Object.entries(shares)) {
    rest -= share;
    if (rest < 0) return decision as keyof typeof shares; // It is one of its keys.
  }
  return pickOne(random, ['get', 'updateSeen']);
}

function createObject(name: string, value: string, resourceVersion: string | undefined): object {
  const annotations = { [valueAnnotation]: value };
  const metadata = { name, annotations, ...(resourceVersion === undefined ? {} : { resourceVersion }) };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { value } };
}

function createPatch(value: string): object {
  return { metadata: { annotations: { [valueAnnotation]: value } }, data: { value } };
}
