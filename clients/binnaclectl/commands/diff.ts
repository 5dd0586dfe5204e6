import type { JsonObject } from '@binnacle/api-objects';
import { errorMessage, StatusError } from '@binnacle/status-errors';
import { type FlagValues, switchFlag } from '../arguments/flag.ts';
import { diffCommand } from '../diff/diff-command.ts';
import { createDiffFolders } from '../diff/diff-folders.ts';
import { maskSecret } from '../diff/mask-secret.ts';
import { applyManifest } from '../objects/apply-manifest.ts';
import { locateManifest } from '../objects/locate-manifest.ts';
import { objectIn } from '../objects/page.ts';
import type { Place } from '../objects/place.ts';
import { readManifests } from '../objects/read-manifests.ts';
import { withoutManagedFields } from '../output/documents.ts';
import { CommandError, UsageError } from '../output/errors.ts';
import { isAbsentProgram } from '../session/run-program.ts';
import type { Session } from '../session/session.ts';
import type { Terminal } from '../session/terminal.ts';
import { defineCommand } from './command.ts';
import { applyFlags, fileFlags } from './file-flags.ts';

const flags = {
  ...fileFlags,
  ...applyFlags,
  showManagedFields: switchFlag('managed fields in the difference'),
  prune: switchFlag('objects that pruning would delete; not supported'),
};

/** The exit code of every failure: 1 says that there are differences. */
const failureCode = 2;

/** Shows the differences between objects as they are and as they would be once files are applied. */
export const diff = defineCommand({
  name: 'diff',
  usage: '-f FILE|FOLDER|-',
  summary: 'Shows what apply would change; exit code 0 for no differences, 1 for some, 2 for a failure.',
  examples: ['diff -f shop.yaml', 'diff -f - --field-manager=painter --force-conflicts < settings.yaml'],
  flags,
  failureCode,
  async run({ flags, words, open, terminal }) {
    checkFlags(words, flags);
    const session = open({ inputIsTaken: flags.filename.includes('-') });
    const { filename, recursive } = flags;
    const manifests = await readManifests(filename, { recursive, input: terminal.input });
    using folders = createDiffFolders();
    for (const manifest of manifests) {
      const place = await locateManifest(session, manifest);
      const live = await findLive(session, place);
      const merged = await applyManifest(session, manifest, { ...flags, place, isDryRun: true });
      const shown = (object: JsonObject) => (flags.showManagedFields ? object : withoutManagedFields(object));
      folders.write(place, maskSecret({ live: live && shown(live), merged: shown(merged) }));
      if (live && objectIn(live, 'metadata')['deletionTimestamp'] !== undefined)
        terminal.err(
          `Warning: Detected changes to resource ${place.name} which is currently being deleted.\n`,
        );
    }
    return await runDiff(terminal, folders.paths);
  },
});

function checkFlags(words: readonly string[], given: FlagValues<typeof flags>): void {
  if (words.length > 0) throw new UsageError(`unexpected arguments: ${words.join(' ')}`);
  if (given.filename.length === 0) throw new UsageError('must specify one of -f and -k; -k is not supported');
  if (!given.serverSide)
    throw new UsageError('--server-side=false is not supported: objects are applied on the server');
  if (given.prune) throw new UsageError('--prune is not supported: apply deletes nothing');
}

/** Undefined for an object that does not exist. */
async function findLive({ client }: Session, { path }: Place): Promise<JsonObject | undefined> {
  try {
    return await client.json<JsonObject>({ method: 'GET', path });
  } catch (error) {
    if (error instanceof StatusError && error.reason === 'NotFound') return undefined;
    throw error;
  }
}

/** The exit code of the program that compares the folders: 0 or 1. */
async function runDiff(terminal: Terminal, paths: readonly string[]): Promise<number> {
  const { program, args, leftOut } = diffCommand(terminal.env['KUBECTL_EXTERNAL_DIFF']);
  if (leftOut.length > 0)
    terminal.err(`Warning: KUBECTL_EXTERNAL_DIFF: ignored, not plain options: ${leftOut.join(' ')}\n`);
  let code: number;
  try {
    code = await terminal.runProgram(program, [...args, ...paths]);
  } catch (cause) {
    const why = isAbsentProgram(cause) ? 'executable file not found in $PATH' : errorMessage(cause);
    throw new CommandError(`failed to run "${program}": ${why}`, { cause });
  }
  if (code > 1) throw new CommandError(`failed to run "${program}": exit status ${code}`);
  return code;
}
