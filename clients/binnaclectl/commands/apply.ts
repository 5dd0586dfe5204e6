import type { JsonObject } from '@binnacle/api-objects';
import { StatusError } from '@binnacle/status-errors';
import { choiceFlag, type FlagValues, switchFlag, textFlag } from '../arguments/flag.ts';
import { singularName } from '../discovery/resource-type.ts';
import { locateManifest } from '../objects/locate-manifest.ts';
import { type Manifest, readManifests } from '../objects/read-manifests.ts';
import { createList, documentText, withoutManagedFields } from '../output/documents.ts';
import { CommandError, errorText, FailedStep, UsageError } from '../output/errors.ts';
import { outputFrom } from '../output/output-form.ts';
import { templateForms } from '../output/template-forms.ts';
import type { Session } from '../session/session.ts';
import { defineCommand } from './command.ts';
import { dryRunFlags, fileFlags } from './file-flags.ts';
import { templateFlags } from './template-flags.ts';

const forms = ['json', 'yaml', 'name', ...templateForms] as const;

const flags = {
  ...fileFlags,
  ...dryRunFlags,
  serverSide: switchFlag('server-side apply, which is the only way', { defaultValue: true }),
  fieldManager: textFlag('name of the field manager (default binnaclectl)'),
  forceConflicts: switchFlag('takeover of fields of other managers'),
  validate: choiceFlag('handling of unknown fields', ['strict', 'warn', 'ignore'], {
    defaultValue: 'strict',
  }),
  output: textFlag(`output format: ${forms.join(', ')}`, { short: 'o', placeholder: 'format' }),
  ...templateFlags,
  showManagedFields: switchFlag('managed fields in JSON and YAML'),
};

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

/** Applies the objects of files on the server. */
export const apply = defineCommand({
  name: 'apply',
  usage: '-f FILE|FOLDER|-',
  summary: 'Applies objects from files, server-side: the server records the manager of each field.',
  examples: [
    'apply -f shop.yaml',
    'apply -f manifests/ --dry-run=server',
    'apply -f - --field-manager=painter --force-conflicts < settings.yaml',
  ],
  flags,
  async run({ flags, words, open, terminal }) {
    if (words.length > 0) throw new UsageError(`unexpected arguments: ${words.join(' ')}`);
    if (flags.filename.length === 0)
      throw new UsageError('must specify one of -f and -k; -k is not supported');
    if (!flags.serverSide)
      throw new UsageError('--server-side=false is not supported: objects are applied on the server');
    const { form, printer } = outputFrom(flags, forms);
    const session = open({ inputIsTaken: flags.filename.includes('-') });
    const manifests = await readManifests(flags.filename, {
      recursive: flags.recursive,
      input: terminal.input,
    });
    const applied: JsonObject[] = [];
    let failed = 0;
    for (const manifest of manifests) {
      try {
        const { object, name } = await applyOne(session, manifest, flags);
        const isWhole = flags.showManagedFields || printer !== undefined;
        applied.push(isWhole ? object : withoutManagedFields(object));
        if (form === 'name') await terminal.out(`${name}\n`);
        if (form === 'table') await terminal.out(`${name} serverside-applied${dryRunNote(flags)}\n`);
      } catch (error) {
        // A connection that does not work does not work for the next object either.
        if (!(error instanceof FailedStep || error instanceof CommandError)) throw error;
        failed++;
        terminal.err(`${errorText(error)}\n`);
      }
    }
    const [first] = applied;
    if ((form === 'json' || form === 'yaml') && first !== undefined) {
      const document = manifests.length === 1 ? first : createList(applied);
      await terminal.out(printer?.print(document) ?? documentText(document, form));
    }
    return failed === 0 ? 0 : 1;
  },
});

function dryRunNote({ dryRun }: FlagValues<typeof dryRunFlags>): string {
  return dryRun === 'server' ? ' (server dry run)' : '';
}

async function applyOne(session: Session, manifest: Manifest, given: FlagValues<typeof flags>) {
  const { type, path } = await locateManifest(session, manifest);
  const query = new URLSearchParams({
    fieldManager: given.fieldManager ?? 'binnaclectl',
    fieldValidation: { strict: 'Strict', warn: 'Warn', ignore: 'Ignore' }[given.validate],
    ...(given.forceConflicts && { force: 'true' }),
    ...(given.dryRun === 'server' && { dryRun: 'All' }),
  });
  try {
    const object = await session.client.json<JsonObject>({
      method: 'PATCH',
      path: `${path}?${query}`,
      contentType: 'application/apply-patch+yaml',
      body: manifest.object,
    });
    return { object, name: `${singularName(type)}/${manifest.name}` };
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
