import { type Flag, textFlag } from '../arguments/flag.ts';

/** The flag of the form of output, of which a command has some. */
export function outputFlag(forms: readonly string[], note = ''): Flag<string | undefined> {
  const last = forms.at(-1) ?? '';
  const list = forms.length > 1 ? `${forms.slice(0, -1).join(', ')} or ${last}` : last;
  return textFlag(`output format: ${list}${note}`, { short: 'o', placeholder: 'format', values: forms });
}
