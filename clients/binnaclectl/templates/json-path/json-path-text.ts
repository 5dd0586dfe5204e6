import { isJsonObject, type JsonValue } from '@binnacle/api-objects';
import { BoundedOutput } from '../bounded-output.ts';
import { goJsonText } from '../values/go-json.ts';
import { formatGoValue, type GoValue } from '../values/go-value.ts';
import { type FindOptions, findResults } from './find-results.ts';
import type { JsonPathTemplate } from './json-path-template.ts';

/**
 * The text that a template writes about a document, as kubectl's `-o jsonpath` does: texts and numbers bare, maps and lists as JSON,
 * several values of a part separated by a space.
 */
export function jsonPathText(
  template: JsonPathTemplate,
  document: JsonValue,
  options: FindOptions = {},
): string {
  const output = new BoundedOutput();
  for (const values of findResults(template, document, options))
    for (const [index, value] of values.entries()) {
      if (index > 0) output.write(' ');
      output.write(isContainer(value) ? goJsonText(value) : formatGoValue(value));
    }
  return output.text();
}

/** The same as `-o jsonpath-as-json` writes it: a list in JSON of the values of each part. */
export function jsonPathJson(
  template: JsonPathTemplate,
  document: JsonValue,
  options: FindOptions = {},
): string {
  const output = new BoundedOutput();
  for (const values of findResults(template, document, options))
    output.write(
      `${goJsonText(
        values.map(value => value ?? null),
        '    ',
      )}\n`,
    );
  return output.text();
}

function isContainer(value: GoValue): value is Extract<GoValue, object> {
  return Array.isArray(value) || isJsonObject(value);
}
