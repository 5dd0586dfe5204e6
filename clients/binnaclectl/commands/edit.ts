import type { JsonObject } from '@binnacle/api-objects';
import { switchFlag, textFlag } from '../arguments/flag.ts';
import type { ResourceType } from '../discovery/resource-type.ts';
import { editObjects } from '../edit/edit-objects.ts';
import { findPatchSchema, type PatchSchema } from '../edit/patch-schema.ts';
import type { EditedObject } from '../edit/send-edit.ts';
import { checkPlaceFlags, findPlaces } from '../objects/find-places.ts';
import { withoutManagedFields } from '../output/documents.ts';
import { CommandError, UsageError } from '../output/errors.ts';
import { outputForm } from '../output/output-form.ts';
import { defineCommand } from './command.ts';
import { applyFlags, fileFlags } from './file-flags.ts';

/** Edits objects in the user's editor. */
export const edit = defineCommand({
  name: 'edit',
  usage: '(TYPE NAME... | TYPE/NAME... | TYPE | -f FILE)',
  summary: 'Edits objects in the editor of KUBE_EDITOR or EDITOR, else vi, and sends what has changed.',
  examples: [
    'edit configmap settings',
    'edit deployment/shop service/shop -n shop',
    'edit configmap settings -o json',
  ],
  flags: {
    ...fileFlags,
    filename: { ...fileFlags.filename, description: 'files and folders with objects in YAML or JSON' },
    validate: applyFlags.validate,
    fieldManager: textFlag('name of the field manager (default binnaclectl-edit)'),
    output: textFlag('format of the file: yaml or json', {
      short: 'o',
      placeholder: 'format',
      values: ['yaml', 'json'],
    }),
    outputPatch: switchFlag('each patch in the output'),
    saveConfig: switchFlag('the object in an annotation, for client-side apply; not supported'),
  },
  async run({ flags, words, open }) {
    checkPlaceFlags(words, flags);
    if (flags.saveConfig)
      throw new UsageError('--save-config is not supported: objects are applied on the server');
    if (flags.filename.includes('-'))
      throw new UsageError('-f - is not supported: the editor needs the standard input');
    const form = outputForm(flags.output, ['json', 'yaml']) === 'json' ? 'json' : 'yaml';
    const session = open();
    const objects: EditedObject[] = [];
    for (const place of await findPlaces(session, words, flags)) {
      const object = await session.client.json<JsonObject>({ method: 'GET', path: place.path });
      const original = withoutManagedFields(object);
      objects.push({ place, original, shown: original });
    }
    if (objects.length === 0) throw new CommandError('edit cancelled, no objects found');
    const schemas = new Map<ResourceType, Promise<PatchSchema | undefined>>();
    return await editObjects(session, objects, {
      form,
      fieldManager: flags.fieldManager ?? 'binnaclectl-edit',
      fieldValidation: { strict: 'Strict', warn: 'Warn', ignore: 'Ignore' }[flags.validate],
      outputPatch: flags.outputPatch,
      findSchema(type) {
        const schema = schemas.get(type) ?? findPatchSchema(session, type);
        schemas.set(type, schema);
        return schema;
      },
    });
  },
});
