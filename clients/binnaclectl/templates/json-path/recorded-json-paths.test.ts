import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { type JsonObject, readJson } from '@binnacle/api-objects';
import { errorMessage } from '@binnacle/status-errors';
import { TemplateError } from '../template-error.ts';
import type { FindOptions } from './find-results.ts';
import { jsonPathJson, jsonPathText } from './json-path-text.ts';
import { parseJsonPath } from './parse-json-path.ts';

interface Case {
  readonly template: string;
  readonly output?: string | undefined;
  readonly error?: string;
}

/**
 * Output and errors that kubectl 1.26.3 gave for `get buoy north -o jsonpath=…`, and for `-o jsonpath-as-json=…`, with
 * `--allow-missing-template-keys=false` (`strict`) and for the list (`lists`), against this server in the names of Kubernetes; the
 * objects are those that its `-o json` printed. Of an error it is the part between `Error executing template: ` and its hints.
 */
interface Recorded extends Readonly<Record<'cases' | 'strict' | 'asJson' | 'lists', readonly Case[]>> {
  readonly object: JsonObject;
  readonly list: JsonObject;
}

const file = join(import.meta.dirname, 'fixtures/kubectl-1.26.json');
const recorded = readJson(readFileSync(file, 'utf8')) as unknown as Recorded; // Its shape is that of the recording.

type Write = typeof jsonPathText;

function outcome(write: Write, template: string, document: JsonObject, options?: FindOptions) {
  try {
    return { template, output: write(parseJsonPath(template), document, options) };
  } catch (error) {
    assert.ok(error instanceof TemplateError, errorMessage(error));
    return { template, error: error.message };
  }
}

/** kubectl follows the members of a map in an order of chance. */
function inOrder({ output, ...rest }: Case): object {
  if (output === undefined || !/\.\.|\.\*/.test(rest.template)) return { output, ...rest };
  return { output: output.split(' ').sort(), ...rest };
}

function registerCases(cases: readonly Case[], run: (template: string) => Case): void {
  for (const each of cases)
    test(JSON.stringify(each.template), () =>
      assert.deepEqual(inOrder({ output: undefined, ...run(each.template) }), inOrder(each)),
    );
}

suite('as kubectl prints an object', () =>
  registerCases(recorded.cases, template => outcome(jsonPathText, template, recorded.object)),
);

suite('without missing keys', () =>
  registerCases(recorded.strict, template =>
    outcome(jsonPathText, template, recorded.object, { allowMissingKeys: false }),
  ),
);

suite('as JSON', () =>
  registerCases(recorded.asJson, template => outcome(jsonPathJson, template, recorded.object)),
);

suite('as kubectl prints a list', () =>
  registerCases(recorded.lists, template => outcome(jsonPathText, template, recorded.list)),
);
