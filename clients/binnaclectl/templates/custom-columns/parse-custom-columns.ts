import type { JsonPathTemplate } from '../json-path/json-path-template.ts';
import { parseJsonPath, relaxedJsonPath } from '../json-path/parse-json-path.ts';
import { TemplateError } from '../template-error.ts';

/** A column that a user names: its header, and the path of its cells. */
export interface CustomColumn {
  readonly header: string;
  readonly path: JsonPathTemplate;
}

/** Reads `NAME:.metadata.name,AGE:.metadata.creationTimestamp`; a comma ends a column wherever it stands, as in kubectl. */
export function parseCustomColumns(text: string): CustomColumn[] {
  return text.split(',').map(part => {
    const colon = part.indexOf(':');
    if (colon < 0)
      throw new TemplateError(`unexpected custom-columns spec: ${part}, expected <header>:<json-path-expr>`);
    return { header: part.slice(0, colon), path: parseJsonPath(relaxedJsonPath(part.slice(colon + 1))) };
  });
}

/** Reads a file of two lines, one of headers and one of paths, both separated by spaces. */
export function parseCustomColumnsFile(text: string): CustomColumn[] {
  const [headerLine, pathLine] = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  if (headerLine === undefined) throw missingLine('header');
  if (pathLine === undefined) throw missingLine('spec');
  const [headers, paths] = [wordsIn(headerLine), wordsIn(pathLine)];
  if (headers.length !== paths.length)
    throw new TemplateError(
      `number of headers (${headers.length}) and field specifications (${paths.length}) don't match`,
    );
  return headers.map((header, index) => ({
    header,
    path: parseJsonPath(relaxedJsonPath(paths[index] ?? '')),
  }));
}

function missingLine(name: string): TemplateError {
  return new TemplateError(
    `invalid template, missing ${name} line. Expected format is one line of space separated headers, one line of space separated column specs.`,
  );
}

function wordsIn(line: string): string[] {
  return line.split(/\s+/).filter(word => word !== '');
}
