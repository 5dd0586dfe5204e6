import { equalJson, type JsonObject } from '@binnacle/api-objects';
import { errorMessage } from '@binnacle/status-errors';
import { singularName } from '../discovery/resource-type.ts';
import { objectIn, textIn } from '../objects/page.ts';
import { type Manifest, parseManifests } from '../objects/read-manifests.ts';
import { createList, documentText } from '../output/documents.ts';
import { CommandError } from '../output/errors.ts';
import type { Session } from '../session/session.ts';
import { createEditFile, type EditFile } from './edit-file.ts';
import { type EditReason, editHeader, withoutHeader } from './edit-header.ts';
import { runEditor } from './editor.ts';
import { type EditedObject, type SendOptions, sendEdit } from './send-edit.ts';

/** The form of the file, and how changes are sent. */
interface EditOptions extends SendOptions {
  readonly form: 'json' | 'yaml';
}

/** The content of the file when it is opened, and why it is opened once more. */
interface Pass {
  readonly objects: readonly EditedObject[];
  /** The text below the comments. */
  readonly body: string;
  readonly reasons: readonly EditReason[];
}

/**
 * Lets the user edit objects in one file and sends their changes. While the file cannot be read, or the server refuses a change, the
 * file is opened once more with the reason. It is kept, and named, when that ends without success. Resolves with the exit code.
 */
export async function editObjects(
  session: Session,
  objects: readonly EditedObject[],
  options: EditOptions,
): Promise<number> {
  using file = createEditFile(options.form);
  try {
    const code = await editUntilSent(session, { file, objects, options });
    if (code !== 0) keepEdits(session, file);
    return code;
  } catch (error) {
    keepEdits(session, file);
    throw error;
  }
}

function keepEdits({ terminal }: Session, file: EditFile): void {
  if (!file.isEdited()) return;
  file.keep();
  terminal.err(`A copy of your changes has been stored to "${file.path}"\n`);
}

interface Editing {
  readonly file: EditFile;
  readonly objects: readonly EditedObject[];
  readonly options: EditOptions;
}

async function editUntilSent(session: Session, { file, objects, options }: Editing): Promise<number> {
  const { terminal } = session;
  const { form } = options;
  for (let pass = createPass(objects, form, []); ; ) {
    const opened = (form === 'yaml' ? editHeader(pass.reasons) : '') + pass.body;
    file.write(opened);
    await runEditor(terminal, file.path);
    const saved = file.read();
    const body = withoutHeader(saved);
    if (body.trim() === '') {
      terminal.err('Edit cancelled, saved file was empty.\n');
      return 0;
    }
    const read = readEdits(body);
    if (isSame(read, pass.objects, 'original')) {
      terminal.err('Edit cancelled, no changes made.\n');
      return 0;
    }
    if (pass.reasons.length > 0 && isUnsolved(pass, { opened, saved, read }))
      throw new CommandError('Edit cancelled, no valid changes were saved.');
    if (typeof read === 'string') {
      const reason = { head: `The edited file had a syntax error: ${read}`, details: [], mayBeKept: false };
      terminal.err(`error: ${reason.head}\n`);
      pass = { objects: pass.objects, body, reasons: [reason] };
      continue;
    }
    const sent = await sendAll(session, read, { pass, options });
    if (sent.hasFailed) return 1;
    if (sent.refused.length === 0) return 0;
    pass = createPass(sent.refused, form, sent.reasons);
  }
}

function createPass(
  objects: readonly EditedObject[],
  form: 'json' | 'yaml',
  reasons: readonly EditReason[],
): Pass {
  const shown = objects.map(object => object.shown);
  const [first, ...others] = shown;
  const document = first !== undefined && others.length === 0 ? first : createList(shown);
  return { objects, body: documentText(document, form), reasons };
}

/** The objects of an edited file, or why it cannot be read. */
function readEdits(body: string): readonly Manifest[] | string {
  try {
    return parseManifests(body, 'edited-file');
  } catch (error) {
    return errorMessage(error);
  }
}

function isSame(
  read: readonly Manifest[] | string,
  objects: readonly EditedObject[],
  version: 'original' | 'shown',
): boolean {
  if (typeof read === 'string' || read.length !== objects.length) return false;
  return read.every(({ object }, index) => equalJson(object, objects[index]?.[version] ?? null));
}

interface Saved {
  readonly opened: string;
  readonly saved: string;
  readonly read: readonly Manifest[] | string;
}

/** Whether a file that was opened with a reason comes back with the same content. */
function isUnsolved({ objects, body, reasons }: Pass, { opened, saved, read }: Saved): boolean {
  if (reasons.some(({ mayBeKept }) => mayBeKept)) return saved === opened;
  return withoutHeader(saved) === body || isSame(read, objects, 'shown');
}

/** Sends the change of each object. */
async function sendAll(
  session: Session,
  edits: readonly Manifest[],
  { pass, options }: { readonly pass: Pass; readonly options: EditOptions },
) {
  const { terminal } = session;
  const refused: EditedObject[] = [];
  const reasons: EditReason[] = [];
  let hasFailed = false;
  for (const { object, kind, name } of edits) {
    const edited = pass.objects.find(({ original }) => uidIn(original) === uidIn(object));
    if (edited === undefined) throw new CommandError(`no original object found for ${kind} "${name}"`);
    const outcome = await sendEdit(session, { ...edited, shown: object }, options);
    const { type } = edited.place;
    if (outcome.kind === 'edited' || outcome.kind === 'skipped')
      await terminal.out(`${singularName(type)}/${name} ${outcome.kind}\n`);
    else terminal.err(`error: ${outcome.message}\n`);
    if (outcome.kind === 'failed') hasFailed = true;
    if (outcome.kind !== 'refused') continue;
    // A file in JSON has no comments.
    if (options.form === 'json') for (const detail of outcome.reason.details) terminal.err(`* ${detail}\n`);
    refused.push(outcome.object);
    reasons.push(outcome.reason);
  }
  return { refused, reasons, hasFailed };
}

function uidIn(object: JsonObject): string {
  return textIn(objectIn(object, 'metadata'), 'uid');
}
