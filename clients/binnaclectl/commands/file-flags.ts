import { choiceFlag, switchFlag, textFlag, textsFlag } from '../arguments/flag.ts';

/** The flags of commands that read objects from files. */
export const fileFlags = {
  filename: textsFlag('files and folders with objects in YAML or JSON; - for standard input', {
    short: 'f',
    placeholder: 'files',
  }),
  recursive: switchFlag('subfolders too', { short: 'R' }),
};

/** The flags of commands that apply objects, or say what that would change. */
export const applyFlags = {
  serverSide: switchFlag('server-side apply, which is the only way', { defaultValue: true }),
  fieldManager: textFlag('name of the field manager (default binnaclectl)'),
  forceConflicts: switchFlag('takeover of fields of other managers'),
  validate: choiceFlag('handling of unknown fields', ['strict', 'warn', 'ignore'], {
    defaultValue: 'strict',
  }),
};

/** The flag of commands that can be tried. */
export const dryRunFlags = {
  dryRun: choiceFlag('"server": the server checks the request and changes nothing', ['none', 'server'], {
    defaultValue: 'none',
  }),
};
