import { groupTable } from '@binnacle/api-names/table';
import type { JsonObject } from '@binnacle/api-objects';
import { StatusError } from '@binnacle/status-errors';
import { objectIn, textIn } from '../objects/page.ts';
import type { Place } from '../objects/place.ts';
import { acceptFor, readAll } from '../objects/read-objects.ts';
import { withoutManagedFields } from '../output/documents.ts';
import { errorText } from '../output/errors.ts';
import type { Session } from '../session/session.ts';
import { describeBinding, describeRole } from './describe-access.ts';
import { describeContent } from './describe-content.ts';
import { describeEvents, readEvents } from './describe-events.ts';
import { describeMetadata } from './describe-metadata.ts';
import { describeLimitRange, describeNamespace, describeQuota } from './describe-namespace.ts';
import { describeConfigMap, describeSecret } from './describe-secret.ts';
import { describeServiceAccount } from './describe-service-account.ts';
import { formatTabs, withoutControls } from './format-tabs.ts';

/** How much of an object is described. */
interface DescriptionOptions {
  readonly showEvents: boolean;
  readonly showManagedFields: boolean;
  /** Objects that one request reads of a list. */
  readonly chunkSize: number;
}

/** Reads an object, and what belongs to it, and describes it as kubectl does: for a person, with its events. */
export async function describeObject(
  session: Session,
  place: Place,
  options: DescriptionOptions,
): Promise<string> {
  const object = await session.client.json<JsonObject>({ method: 'GET', path: place.path });
  const { describe, hasEvents } = describerFor(place);
  const text = await describe({ session, place, options }, object);
  const events =
    hasEvents && options.showEvents
      ? await unlessRefused(session, 'events', () => readEvents(session.client, object, options.chunkSize))
      : undefined;
  const eventText = events === undefined ? '' : describeEvents(events, session.terminal.time());
  // The columns of a table of events are its own.
  const parts = events?.length === 0 ? [text + eventText] : [text, eventText];
  return parts.map(part => formatTabs(withoutControls(part))).join('');
}

interface Describing {
  readonly session: Session;
  readonly place: Place;
  readonly options: DescriptionOptions;
}

interface Describer {
  readonly describe: (describing: Describing, object: JsonObject) => string | Promise<string>;
  readonly hasEvents: boolean;
}

/** The describers of kinds of the core group that have one of their own; events stand where kubectl has them. */
const coreDescribers: Readonly<Record<string, Describer>> = {
  ConfigMap: { describe: (_, object) => describeConfigMap(object), hasEvents: true },
  LimitRange: { describe: (_, object) => describeLimitRange(object), hasEvents: false },
  Namespace: { describe: describeNamespaceWithLimits, hasEvents: false },
  ResourceQuota: { describe: (_, object) => describeQuota(object), hasEvents: false },
  Secret: { describe: (_, object) => describeSecret(object), hasEvents: false },
  ServiceAccount: { describe: describeAccountWithSecrets, hasEvents: true },
};

const accessDescribers: Readonly<Record<string, Describer>> = {
  ClusterRole: { describe: (_, object) => describeRole(object), hasEvents: false },
  ClusterRoleBinding: { describe: (_, object) => describeBinding(object), hasEvents: false },
  Role: { describe: (_, object) => describeRole(object), hasEvents: false },
  RoleBinding: { describe: (_, object) => describeBinding(object), hasEvents: false },
};

function describerFor({ type: { group, kind } }: Place): Describer {
  const isAccess = groupTable.rbac.some(name => name === group);
  const special = group === '' ? coreDescribers[kind] : isAccess ? accessDescribers[kind] : undefined;
  return special ?? { describe: describeFields, hasEvents: true };
}

function describeFields({ options }: Describing, object: JsonObject): string {
  const shown = options.showManagedFields ? object : withoutManagedFields(object);
  return describeMetadata(shown, { showsNamespace: true }) + describeContent(shown);
}

async function describeNamespaceWithLimits(
  { session, place, options }: Describing,
  namespace: JsonObject,
): Promise<string> {
  const read = async (resource: string) => {
    const path = `/api/v1/namespaces/${encodeURIComponent(place.name)}/${resource}`;
    return await readObjects(session, path, { accept: 'application/json', ...options });
  };
  const [quotas, limitRanges] = [await read('resourcequotas'), await read('limitranges')];
  return describeNamespace(namespace, { quotas, limitRanges });
}

async function describeAccountWithSecrets(
  { session, options }: Describing,
  account: JsonObject,
): Promise<string> {
  const namespace = textIn(objectIn(account, 'metadata'), 'namespace');
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/secrets`;
  // Names and annotations are enough: values of secrets are not read.
  const accept = acceptFor('name', { single: false });
  const secrets = await unlessRefused(session, 'secrets', () =>
    readObjects(session, path, { accept, ...options }),
  );
  return describeServiceAccount(account, secrets);
}

async function readObjects(
  { client }: Session,
  path: string,
  { accept, chunkSize }: { readonly accept: string; readonly chunkSize: number },
): Promise<JsonObject[]> {
  const selection = { path, labelSelector: '', fieldSelector: '', accept };
  return (await readAll(client, selection, chunkSize)).items.map(item => item.object);
}

/** Undefined, and a warning, when the server refuses what a description can do without. */
async function unlessRefused<T>(
  { terminal }: Session,
  wanted: string,
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    terminal.err(`Warning: ${wanted} cannot be read: ${errorText(error)}\n`);
    return undefined;
  }
}
