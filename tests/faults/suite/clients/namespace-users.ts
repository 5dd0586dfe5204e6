import type { Random } from '../../../fuzz/random.ts';
import { valueAnnotation } from '../recording/written-object.ts';
import { deleteObject } from './creators.ts';
import { anyDoor, pauseBetween, type SuiteContext } from './suite-context.ts';

const meanPauseMs = 150;
const namespacesPath = '/api/v1/namespaces';

/**
 * Creates a namespace, writes into it, ends it while it goes on writing, and begins anew with another one. Writers that do not
 * know of the end are what a namespace must keep out.
 */
export async function runNamespaceUser(name: string, context: SuiteContext, random: Random): Promise<void> {
  for (let round = 0; !context.signal.aborted; round++) {
    const namespace = `${name}-${round}`;
    const request = {
      method: 'POST',
      path: namespacesPath,
      body: { metadata: { name: namespace } },
    } as const;
    const place = { resource: 'namespaces', namespace: '', name: namespace };
    const { outcome } = await context.recorder.write(anyDoor(context, random), {
      ...{ client: name, verb: 'create', ...place, value: '', request },
    });
    if (outcome !== 'refused') {
      await writeInto(namespace, 5 + random(10), { name, context, random });
      const ending = deleteObject(
        context,
        { client: name, ...place, path: `${namespacesPath}/${namespace}` },
        random,
      );
      await writeInto(namespace, 5 + random(15), { name, context, random });
      await ending;
    }
    await pauseBetween(context, random, meanPauseMs);
  }
}

interface NamespaceUser {
  readonly name: string;
  readonly context: SuiteContext;
  readonly random: Random;
}

async function writeInto(
  namespace: string,
  count: number,
  { name, context, random }: NamespaceUser,
): Promise<void> {
  const path = `${namespacesPath}/${namespace}/configmaps`;
  for (let index = 0; index < count && !context.signal.aborted; index++) {
    const value = `${namespace}-${context.recorder.records.length}-${index}`;
    const metadata = { generateName: 'content-', annotations: { [valueAnnotation]: value } };
    const request = {
      method: 'POST',
      path,
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata },
    } as const;
    const place = { resource: 'configmaps', namespace };
    await context.recorder.write(anyDoor(context, random), {
      ...{ client: name, verb: 'create', ...place, value, request },
    });
    await pauseBetween(context, random, meanPauseMs);
  }
}
