import { choiceFlag, switchFlag, textsFlag } from '../arguments/flag.ts';

/** The flags of commands that read objects from files. */
export const fileFlags = {
  filename: textsFlag('files and folders with objects in YAML or JSON; - for standard input', {
    short: 'f',
    placeholder: 'files',
  }),
  recursive: switchFlag('subfolders too', { short: 'R' }),
};

/** The flag of commands that can be tried. */
export const dryRunFlags = {
  dryRun: choiceFlag('"server": the server checks the request and changes nothing', ['none', 'server'], {
    defaultValue: 'none',
  }),
};
