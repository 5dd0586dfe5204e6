import { UsageError } from './errors.ts';

/** The forms in which objects are written. */
export type OutputForm = 'table' | 'wide' | 'json' | 'yaml' | 'name';

const forms: readonly OutputForm[] = ['table', 'wide', 'json', 'yaml', 'name'];
const otherForms = ['jsonpath', 'go-template', 'template', 'custom-columns'];

/** The form that `-o` names, a table without it; throws a `UsageError`, for forms of kubectl that this client lacks by name. */
export function outputForm(text: string | undefined, allowed: readonly OutputForm[] = forms): OutputForm {
  if (text === undefined) return 'table';
  const form = allowed.find(candidate => candidate === text);
  if (form !== undefined) return form;
  const other = otherForms.find(
    name => text === name || text.startsWith(`${name}=`) || text.startsWith(`${name}-`),
  );
  if (other !== undefined)
    throw new UsageError(`output format "${other}" is not supported, ${choice(allowed)}`);
  throw new UsageError(
    `unable to match a printer suitable for the output format "${text}", ${choice(allowed)}`,
  );
}

function choice(allowed: readonly OutputForm[]): string {
  return `allowed formats are: ${allowed.join(',')}`;
}
