import { choiceFlag, switchFlag, textsFlag } from '../arguments/flag.ts';

/** The flags of commands that read objects from files. */
export const fileFlags = {
  filename: textsFlag('files and folders with the objects in YAML or JSON; - for the input', {
    short: 'f',
    placeholder: 'files',
  }),
  recursive: switchFlag('folders in folders too', { short: 'R' }),
};

/** The flag of commands that can be tried. */
export const dryRunFlags = {
  dryRun: choiceFlag('"server" has the server check all of it and change nothing', ['none', 'server'], {
    defaultValue: 'none',
  }),
};
