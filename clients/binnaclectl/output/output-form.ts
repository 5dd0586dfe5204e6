import { CommandError, UsageError } from './errors.ts';
import {
  columnForms,
  createPrinter,
  type Printer,
  type TemplateForm,
  templateForms,
} from './template-forms.ts';

/** The forms in which objects are written, without those that a template describes. */
export type OutputForm = 'table' | 'wide' | 'json' | 'yaml' | 'name';

const forms: readonly OutputForm[] = ['table', 'wide', 'json', 'yaml', 'name'];
/** Every form of output, as the commands that show objects have them. */
export const everyForm: readonly (OutputForm | TemplateForm)[] = [...forms, ...templateForms, ...columnForms];

/** The form that `-o` names, a table without it; throws a `UsageError` for another. */
export function outputForm(text: string | undefined, allowed: readonly OutputForm[]): OutputForm {
  if (text === undefined) return 'table';
  const form = allowed.find(candidate => candidate === text);
  if (form === undefined) throw unknownForm(text, allowed);
  return form;
}

/** The form of the output, and the printer of its template where it has one: the form is that of whole objects then. */
export interface Output {
  readonly form: OutputForm;
  readonly printer: Printer | undefined;
}

interface OutputFlags {
  readonly output: string | undefined;
  readonly template: string | undefined;
  readonly allowMissingTemplateKeys: boolean;
  readonly noHeaders?: boolean;
}

/**
 * The output that flags tell: a form, or a form and its template, which stands after `=` or in `--template`. Throws a `UsageError` for a
 * form that is not allowed, and a `CommandError` for a template that cannot be read.
 */
export function outputFrom(
  flags: OutputFlags,
  allowed: readonly (OutputForm | TemplateForm)[] = everyForm,
): Output {
  const { output, template: given = '' } = flags;
  const text = output ?? (given === '' ? undefined : 'go-template');
  if (text === undefined) return { form: 'table', printer: undefined };
  const equals = text.indexOf('=');
  const name = equals < 0 || given !== '' ? text : text.slice(0, equals);
  const form = allowed.find(candidate => candidate === name);
  if (form === undefined) throw unknownForm(text, allowed);
  if (!isTemplateForm(form)) {
    if (form !== text) throw unknownForm(text, allowed);
    return { form, printer: undefined };
  }
  const template = given === '' && equals >= 0 ? text.slice(equals + 1) : given;
  if (template === '') throw new CommandError(missingTemplate(form));
  const allowMissingKeys = flags.allowMissingTemplateKeys;
  return {
    form: 'json',
    printer: createPrinter({ form, template, allowMissingKeys, headers: !flags.noHeaders }),
  };
}

function isTemplateForm(form: OutputForm | TemplateForm): form is TemplateForm {
  return !forms.some(candidate => candidate === form);
}

function missingTemplate(form: TemplateForm): string {
  return columnForms.some(candidate => candidate === form)
    ? 'custom-columns format specified but no custom columns given'
    : 'template format specified but no template given';
}

function unknownForm(text: string, allowed: readonly string[]): UsageError {
  return new UsageError(
    `unable to match a printer suitable for the output format ${JSON.stringify(text)}, allowed formats are: ${allowed.toSorted().join(',')}`,
  );
}
