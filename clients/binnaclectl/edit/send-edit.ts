import { equalJson, type JsonObject } from '@binnacle/api-objects';
import { StatusError } from '@binnacle/status-errors';
import { fullResourceName, type ResourceType } from '../discovery/resource-type.ts';
import { objectIn, textIn } from '../objects/page.ts';
import type { Place } from '../objects/place.ts';
import { withoutManagedFields } from '../output/documents.ts';
import { CommandError } from '../output/errors.ts';
import type { Session } from '../session/session.ts';
import type { EditReason } from './edit-header.ts';
import { changedByBoth, createMergePatch, replacesList, withMergePatch } from './merge-patch.ts';
import { type PatchSchema, strategicMediaType } from './patch-schema.ts';
import { createStrategicMergePatch } from './strategic-merge-patch.ts';

/** An object that is edited; neither version has managed fields. */
export interface EditedObject {
  readonly place: Place;
  /** The version of the server that the edit began with. */
  readonly original: JsonObject;
  /** The version in the file. */
  readonly shown: JsonObject;
}

/** How changes are sent. */
export interface SendOptions {
  readonly fieldManager: string;
  /** Handling of unknown fields: `Strict`. */
  readonly fieldValidation: string;
  /** Whether each patch is written to the output. */
  readonly outputPatch: boolean;
  /** The schema of types that take strategic merge patches. */
  readonly findSchema: (type: ResourceType) => Promise<PatchSchema | undefined>;
}

/** The outcome of a change: a refused one can be edited once more, a failed one cannot. */
type EditOutcome =
  | { readonly kind: 'edited' }
  | { readonly kind: 'skipped' }
  | { readonly kind: 'failed'; readonly message: string }
  | {
      readonly kind: 'refused';
      readonly message: string;
      readonly reason: EditReason;
      readonly object: EditedObject;
    };

/** Attempts of a change that others' changes overtake. */
const mostAttempts = 5;

/**
 * Sends the change of an object as a patch, so that changes of other fields by other clients stay: a strategic merge patch where the
 * type takes it, a JSON merge patch otherwise. One that replaces a list names the version of the object; when the object has another by then, the
 * change is made anew to the version that the server has, unless both have changed the same field.
 */
export async function sendEdit(
  session: Session,
  edited: EditedObject,
  options: SendOptions,
): Promise<EditOutcome> {
  const { place } = edited;
  if (equalJson(edited.original, edited.shown)) return { kind: 'skipped' };
  assertSameIdentity(edited);
  const schema = await options.findSchema(place.type);
  let current = edited;
  for (let attempt = 1; ; attempt++) {
    const { patch, contentType, namesVersion } = createPatch(current, schema);
    if (options.outputPatch) await session.terminal.out(`Patch: ${JSON.stringify(patch)}\n`);
    try {
      await sendPatch(session, place, { patch, contentType, options });
      return { kind: 'edited' };
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      if (error.reason !== 'Conflict' || !namesVersion || attempt === mostAttempts)
        return refusal(current, error);
      const change = createMergePatch(current.original, current.shown);
      const latest = withoutManagedFields(
        await session.client.json<JsonObject>({ method: 'GET', path: place.path }),
      );
      const fields = changedByBoth(change, [current.original, latest]);
      current = { place, original: latest, shown: withMergePatch(latest, change) };
      if (fields.length > 0) return conflict(current, fields);
    }
  }
}

function assertSameIdentity({ original, shown }: EditedObject): void {
  const same = ['apiVersion', 'kind'].every(field => original[field] === shown[field]);
  const [before, after] = [objectIn(original, 'metadata'), objectIn(shown, 'metadata')];
  if (!same || before['name'] !== after['name'])
    throw new CommandError('At least one of apiVersion, kind and name was changed');
  if (before['namespace'] !== after['namespace'])
    throw new CommandError(
      `the namespace from the provided object "${textIn(after, 'namespace')}" does not match the namespace "${textIn(before, 'namespace')}"`,
    );
}

interface Patch {
  readonly patch: JsonObject;
  readonly contentType: string;
  /** Whether the version was added, which the server then compares. */
  readonly namesVersion: boolean;
}

function createPatch({ original, shown }: EditedObject, schema: PatchSchema | undefined): Patch {
  if (schema !== undefined) {
    const patch = createStrategicMergePatch(original, shown, schema);
    return { patch, contentType: strategicMediaType, namesVersion: false };
  }
  const patch = createMergePatch(original, shown);
  const metadata = objectIn(patch, 'metadata');
  const namesVersion = replacesList(patch) && metadata['resourceVersion'] === undefined;
  const resourceVersion = textIn(objectIn(original, 'metadata'), 'resourceVersion');
  return {
    patch: namesVersion ? { ...patch, metadata: { ...metadata, resourceVersion } } : patch,
    contentType: 'application/merge-patch+json',
    namesVersion,
  };
}

async function sendPatch(
  { client }: Session,
  { path }: Place,
  {
    patch,
    contentType,
    options,
  }: { readonly patch: JsonObject; readonly contentType: string; readonly options: SendOptions },
): Promise<void> {
  const { fieldManager, fieldValidation } = options;
  const query = new URLSearchParams({ fieldManager, fieldValidation });
  await client.json({ method: 'PATCH', path: `${path}?${query}`, contentType, body: patch });
}

function refusal(object: EditedObject, error: StatusError): EditOutcome {
  const { type, name } = object.place;
  const subject = `${fullResourceName(type)} "${name}"`;
  switch (error.reason) {
    case 'BadRequest':
    case 'Invalid': {
      const causes = error.causes.map(({ field = '', message = '' }) => `${field}: ${message}`);
      const details = causes.length === 0 ? [error.message] : causes;
      const reason = { head: `${subject} was not valid`, details, mayBeKept: false };
      return { kind: 'refused', message: `${subject} is invalid`, reason, object };
    }
    case 'NotFound':
      return { kind: 'failed', message: `${subject} could not be found on the server` };
    default:
      return { kind: 'failed', message: `${subject} could not be patched: ${error.message}` };
  }
}

function conflict(object: EditedObject, fields: readonly string[]): EditOutcome {
  const { type, name } = object.place;
  const subject = `${fullResourceName(type)} "${name}"`;
  const head = `${subject} was changed by another client; these fields have your values below, and another value on the server`;
  return {
    kind: 'refused',
    message: `${subject} was changed by another client`,
    reason: { head, details: fields, mayBeKept: true },
    object,
  };
}
