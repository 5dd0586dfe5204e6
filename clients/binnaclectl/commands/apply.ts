import type { JsonObject } from '@binnacle/api-objects';
import { type FlagValues, switchFlag } from '../arguments/flag.ts';
import { singularName } from '../discovery/resource-type.ts';
import { applyManifest } from '../objects/apply-manifest.ts';
import { locateManifest } from '../objects/locate-manifest.ts';
import { readManifests } from '../objects/read-manifests.ts';
import { createList, documentText, withoutManagedFields } from '../output/documents.ts';
import { CommandError, errorText, FailedStep, UsageError } from '../output/errors.ts';
import { outputFrom } from '../output/output-form.ts';
import { templateForms } from '../output/template-forms.ts';
import { defineCommand } from './command.ts';
import { applyFlags, dryRunFlags, fileFlags } from './file-flags.ts';
import { outputFlag } from './output-flag.ts';
import { templateFlags } from './template-flags.ts';

const forms = ['json', 'yaml', 'name', ...templateForms] as const;

const flags = {
  ...fileFlags,
  ...dryRunFlags,
  ...applyFlags,
  output: outputFlag(forms),
  ...templateFlags,
  showManagedFields: switchFlag('managed fields in JSON and YAML'),
};

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
        const place = await locateManifest(session, manifest);
        const isDryRun = flags.dryRun === 'server';
        const object = await applyManifest(session, manifest, { ...flags, place, isDryRun });
        const name = `${singularName(place.type)}/${place.name}`;
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
