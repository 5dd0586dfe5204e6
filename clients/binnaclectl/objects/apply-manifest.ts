import type { JsonObject } from '@binnacle/api-objects';
import { StatusError } from '@binnacle/status-errors';
import { CommandError, FailedStep } from '../output/errors.ts';
import type { Session } from '../session/session.ts';
import type { Place } from './place.ts';
import type { Manifest } from './read-manifests.ts';

/** How an object is applied. */
interface ApplyOptions {
  /** Name of the field manager; `binnaclectl` when not given. */
  readonly fieldManager: string | undefined;
  /** Whether fields of other managers are taken over. */
  readonly forceConflicts: boolean;
  /** Handling of unknown fields. */
  readonly validate: 'strict' | 'warn' | 'ignore';
  /** Whether the server only says how the object would become. */
  readonly isDryRun: boolean;
}

const howToResolve = `Please review the fields above--they currently have other managers. Here
are the ways you can resolve this warning:
* If you intend to manage all of these fields, please re-run the apply
  command with the --force-conflicts flag.
* If you do not intend to manage all of the fields, please edit your
  manifest to remove references to the fields that should keep their
  current managers.
* You may co-own fields by updating your manifest to match the existing
  value; in this case, you'll become the manager if the other manager(s)
  stop managing the field (remove it from their configuration).`;

/** Applies a file's object at its place, server-side, and resolves with the object that the server answers. */
export async function applyManifest(
  session: Session,
  manifest: Manifest,
  { place, fieldManager, forceConflicts, validate, isDryRun }: ApplyOptions & { readonly place: Place },
): Promise<JsonObject> {
  const query = new URLSearchParams({
    fieldManager: fieldManager ?? 'binnaclectl',
    fieldValidation: { strict: 'Strict', warn: 'Warn', ignore: 'Ignore' }[validate],
    ...(forceConflicts && { force: 'true' }),
    ...(isDryRun && { dryRun: 'All' }),
  });
  try {
    return await session.client.json<JsonObject>({
      method: 'PATCH',
      path: `${place.path}?${query}`,
      contentType: 'application/apply-patch+yaml',
      body: manifest.object,
    });
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    throw conflictError(error) ?? new FailedStep(`error when applying "${manifest.source}"`, error);
  }
}

/** The error for fields with other managers: each field with its manager, and the ways to go on. */
export function conflictError(error: StatusError): CommandError | undefined {
  const conflicts = error.causes.filter(({ reason }) => reason === 'FieldManagerConflict');
  if (conflicts.length === 0) return undefined;
  const head = `Apply failed with ${conflicts.length} conflict${conflicts.length === 1 ? '' : 's'}`;
  const lines = conflicts.map(({ message = 'conflict', field = '' }) => `${message}: ${field}`);
  const list =
    lines.length === 1 ? `${head}: ${lines[0]}` : `${head}:\n${lines.map(line => `- ${line}`).join('\n')}`;
  return new CommandError(`${list}\n${howToResolve}`);
}
