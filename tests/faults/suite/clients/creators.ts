import type { WriteRecord } from '@binnacle/binnaclectl/testing';
import type { Random } from '../../../fuzz/random.ts';
import { valueAnnotation } from '../recording/written-object.ts';
import { anyDoor, pauseBetween, type SuiteContext } from './suite-context.ts';

/** The namespace of the Services. */
export const serviceNamespace = 'faults-services';
/** The namespace whose secrets a quota counts. */
export const quotaNamespace = 'faults-quota';
/** The most secrets that the quota allows. */
export const quotaHard = 6;

/** A sort of objects that a creator makes and deletes. */
interface CreatorPlan {
  readonly resource: string;
  readonly namespace: string;
  /** The path of the resource in the namespace. */
  readonly path: string;
  readonly meanPauseMs: number;
  /** How many objects one creator keeps before it only deletes. */
  readonly most: number;
  readonly body: (value: string) => object;
}

/** Creators of Services: each has an address and a port of its own. */
export const serviceCreator: CreatorPlan = {
  resource: 'services',
  namespace: serviceNamespace,
  path: `/api/v1/namespaces/${serviceNamespace}/services`,
  meanPauseMs: 350,
  most: 12,
  body: value => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { generateName: 'service-', annotations: { [valueAnnotation]: value } },
    spec: { type: 'NodePort', selector: { app: 'none' }, ports: [{ port: 80 }] },
  }),
};

/** Creators of secrets, who want more than the quota allows. */
export const quotaUser: CreatorPlan = {
  resource: 'secrets',
  namespace: quotaNamespace,
  path: `/api/v1/namespaces/${quotaNamespace}/secrets`,
  meanPauseMs: 250,
  most: quotaHard,
  body: value => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { generateName: 'secret-', annotations: { [valueAnnotation]: value } },
  }),
};

/** Creates objects under names that the server chooses, and deletes them, as the seed decides. */
export async function runCreator(
  name: string,
  plan: CreatorPlan,
  context: SuiteContext,
  random: Random,
): Promise<void> {
  const { resource, namespace, path, body, most, meanPauseMs } = plan;
  const own: string[] = [];
  for (let count = 0; !context.signal.aborted; count++) {
    const door = anyDoor(context, random);
    const wantsMore = random(100) < 60;
    const chosen = random(1000);
    if (own.length < most && (wantsMore || own.length === 0)) {
      const value = `${name}-${count}`;
      const request = { method: 'POST', path, body: body(value) } as const;
      const record = await context.recorder.write(door, {
        ...{ client: name, verb: 'create', resource, namespace, value, request },
      });
      if (record.outcome === 'ok' && record.name !== undefined) own.push(record.name);
    } else {
      const [victim = ''] = own.splice(chosen % own.length, 1);
      await deleteObject(
        context,
        { client: name, resource, namespace, name: victim, path: `${path}/${victim}` },
        random,
      );
    }
    await pauseBetween(context, random, meanPauseMs);
  }
}

/** An object to delete, and who deletes it. */
interface Deletion extends Pick<WriteRecord, 'client' | 'resource' | 'namespace'> {
  readonly name: string;
  readonly path: string;
}

/** Deletes an object through any gateway, once: what became of it shows in the history. */
export function deleteObject(
  context: SuiteContext,
  { path, ...place }: Deletion,
  random: Random,
): Promise<WriteRecord> {
  const door = anyDoor(context, random);
  return context.recorder.write(door, { ...place, verb: 'delete', request: { method: 'DELETE', path } });
}
