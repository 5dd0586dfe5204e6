import { switchFlag, textFlag } from '../arguments/flag.ts';

/** The flags of commands whose output a template can describe. */
export const templateFlags = {
  template: textFlag('template, or the file with it, of the output formats that have one', {
    placeholder: 'template',
  }),
  allowMissingTemplateKeys: switchFlag('no error for fields in a template that an object does not have', {
    defaultValue: true,
  }),
};
