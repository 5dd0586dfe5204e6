import { closeSync, openSync, readSync } from 'node:fs';
import type { JsonObject } from '@binnacle/api-objects';
import { errorMessage } from '@binnacle/status-errors';
import {
  parseCustomColumns,
  parseCustomColumnsFile,
} from '../templates/custom-columns/parse-custom-columns.ts';
import { goTemplateText } from '../templates/go-template/go-template-text.ts';
import { parseGoTemplate } from '../templates/go-template/parse-go-template.ts';
import { jsonPathJson, jsonPathText } from '../templates/json-path/json-path-text.ts';
import { parseJsonPath } from '../templates/json-path/parse-json-path.ts';
import { TemplateError } from '../templates/template-error.ts';
import { CustomColumnsPrinter } from './custom-columns-printer.ts';
import { CommandError } from './errors.ts';

/** The longest file with a template, in bytes. */
const longestFile = 1024 * 1024;

/** Forms of output that a template describes: `-o FORM=TEMPLATE`. */
export const templateForms = [
  'jsonpath',
  'jsonpath-as-json',
  'jsonpath-file',
  'go-template',
  'go-template-file',
  'template',
  'templatefile',
] as const;
/** Forms of output whose template is a list of columns. */
export const columnForms = ['custom-columns', 'custom-columns-file'] as const;

/** The name of a form that a template describes. */
export type TemplateForm = (typeof templateForms)[number] | (typeof columnForms)[number];

/** Writes one document after another by a template. */
export interface Printer {
  /** The text of an object, list or event of a watch. */
  readonly print: (document: JsonObject) => string;
}

/** The form, template and options that flags tell. */
interface TemplateRequest {
  readonly form: TemplateForm;
  readonly template: string;
  readonly allowMissingKeys: boolean;
  readonly headers: boolean;
}

/** Creates the printer of a template, which is read at once; throws a `CommandError` in the words of kubectl. */
export function createPrinter(request: TemplateRequest): Printer {
  const { form, template } = request;
  switch (form) {
    case 'jsonpath':
    case 'jsonpath-as-json':
      return jsonPathPrinter(template, request);
    case 'jsonpath-file':
      return jsonPathPrinter(readTemplate(template, `error reading --template ${template}`), request);
    case 'go-template':
    case 'template':
      return goTemplatePrinter(template, request);
    case 'go-template-file':
    case 'templatefile':
      return goTemplatePrinter(readTemplate(template, `error reading --template ${template}`), request);
    case 'custom-columns':
      return columnsPrinter(() => parseCustomColumns(template), request);
    case 'custom-columns-file': {
      const text = readTemplate(template, `error reading template ${template}`);
      return columnsPrinter(() => parseCustomColumnsFile(text), request);
    }
  }
}

function readTemplate(path: string, failure: string): string {
  try {
    return readFileStart(path);
  } catch (error) {
    throw new CommandError(`${failure}, ${fileProblem(path, error)}`);
  }
}

/** The text of a file, which may be a pipe; throws when it is longer than a template. */
function readFileStart(path: string): string {
  const bytes = Buffer.alloc(longestFile + 1);
  const file = openSync(path, 'r');
  try {
    let length = 0;
    for (;;) {
      const count = readSync(file, bytes, length, bytes.length - length, null);
      length += count;
      if (length > longestFile) throw new Error(`it has more than ${longestFile} bytes`);
      if (count === 0) return bytes.toString('utf8', 0, length);
    }
  } finally {
    closeSync(file);
  }
}

/** The problem of a file in the words of Go, where it is a usual one. */
function fileProblem(path: string, error: unknown): string {
  const { code } = error as NodeJS.ErrnoException; // The failure of a file system call has one.
  if (code === 'ENOENT') return `open ${path}: no such file or directory`;
  if (code === 'EACCES') return `open ${path}: permission denied`;
  if (code === 'EISDIR') return `read ${path}: is a directory`;
  return errorMessage(error);
}

function jsonPathPrinter(text: string, { form, allowMissingKeys }: TemplateRequest): Printer {
  const template = inWords(`error parsing jsonpath ${text}, `, () => parseJsonPath(text));
  const write = form === 'jsonpath-as-json' ? jsonPathJson : jsonPathText;
  const failure = `error executing jsonpath ${JSON.stringify(text)}: Error executing template: `;
  return {
    print: document => inWords(failure, () => write(template, document, { allowMissingKeys })),
  };
}

function goTemplatePrinter(text: string, { allowMissingKeys }: TemplateRequest): Printer {
  const template = inWords(`error parsing template ${text}, `, () => parseGoTemplate(text));
  const failure = `error executing template ${JSON.stringify(text)}: `;
  return {
    print: document => inWords(failure, () => goTemplateText(template, document, { allowMissingKeys })),
  };
}

function columnsPrinter(
  parse: () => ReturnType<typeof parseCustomColumns>,
  { headers }: TemplateRequest,
): Printer {
  const printer = new CustomColumnsPrinter(inWords('', parse), { headers });
  return { print: document => inWords('', () => printer.print(document)) };
}

/** The failure of a template is one of the command, after some words. */
function inWords<Result>(words: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof TemplateError ? new CommandError(`${words}${error.message}`) : error;
  }
}
