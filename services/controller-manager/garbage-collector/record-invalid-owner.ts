import { createHash } from 'node:crypto';
import { type OwnerReference, timestampFrom } from '@binnacle/api-objects';
import type { ApiClient } from '@binnacle/client';
import { StatusError } from '@binnacle/status-errors';
import type { GraphObject } from './dependency-graph.ts';

const component = 'garbage-collector-controller';
/** Namespace of events about cluster-scoped objects. */
const namespaceOfOthers = 'default';

/**
 * Records in an Event that an object names an owner which is not in its namespace. There is one event for an object and owner, which
 * is not updated while it exists.
 */
export async function recordInvalidOwner(
  { client, now }: { readonly client: Pick<ApiClient, 'request'>; readonly now: () => number },
  { object, reference }: { readonly object: GraphObject; readonly reference: OwnerReference },
  signal: AbortSignal,
): Promise<void> {
  const { type, namespace, name, uid } = object;
  const { resourceVersion = '' } = object.metadata;
  const eventNamespace = namespace === '' ? namespaceOfOthers : namespace;
  const digest = createHash('sha256').update(`${uid}/${reference.uid}`).digest('hex').slice(0, 16);
  const time = timestampFrom(now());
  const owner = `${reference.apiVersion} ${reference.kind} ${JSON.stringify(reference.name)}`;
  const where = namespace === '' ? 'outside of namespaces' : `in namespace ${JSON.stringify(namespace)}`;
  const event = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${name.slice(0, 200)}.${digest}`, namespace: eventNamespace },
    involvedObject: {
      apiVersion: type.group === '' ? type.version : `${type.group}/${type.version}`,
      kind: type.kind,
      ...(namespace !== '' && { namespace }),
      name,
      uid,
      resourceVersion,
    },
    type: 'Warning',
    reason: 'OwnerRefInvalidNamespace',
    message: `the owner ${owner} (uid ${reference.uid}) does not exist ${where}`,
    source: { component },
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
  };
  const path = `/api/v1/namespaces/${encodeURIComponent(eventNamespace)}/events`;
  try {
    await client.request({ method: 'POST', path, body: event, signal });
  } catch (error) {
    // The event exists, or its namespace is being deleted; the decision on the object does not depend on the event.
    const isSettled = error instanceof StatusError && error.code < 500 && error.code !== 429;
    if (!isSettled) throw error;
  }
}
