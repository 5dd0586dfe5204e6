import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { type JsonObject, readJson } from '@binnacle/api-objects';
import { errorMessage } from '@binnacle/status-errors';
import { TemplateError } from '../template-error.ts';
import { goTemplateText } from './go-template-text.ts';
import { parseGoTemplate } from './parse-go-template.ts';

interface Case {
  readonly template: string;
  /** Whether a missing key is an error: `missingkey=error`. */
  readonly strict?: boolean;
  readonly output?: string;
  /** The error of reading the template, and of running it. */
  readonly parse?: string;
  readonly error?: string;
}

/**
 * Output and errors of Go's own text/template (Go 1.26) for a document, its functions and kubectl's `exists` and `base64decode`. They
 * were recorded by a program that decodes the document as kubectl does, integers as int64 and other numbers as float64, and
 * runs each template under the name `output`.
 */
interface Recorded {
  readonly document: JsonObject;
  readonly cases: readonly Case[];
}

const file = join(import.meta.dirname, 'fixtures/text-template.json');
const recorded = readJson(readFileSync(file, 'utf8')) as unknown as Recorded; // Its shape is that of the recording.

function outcome({ template, strict }: Case): Case {
  const common = { template, ...(strict && { strict }) };
  let read: ReturnType<typeof parseGoTemplate>;
  try {
    read = parseGoTemplate(template);
  } catch (error) {
    assert.ok(error instanceof TemplateError, errorMessage(error));
    return { ...common, parse: error.message };
  }
  try {
    return { ...common, output: goTemplateText(read, recorded.document, { allowMissingKeys: !strict }) };
  } catch (error) {
    assert.ok(error instanceof TemplateError, errorMessage(error));
    return { ...common, error: error.message };
  }
}

/** Cases with another outcome here, and why. */
const differences: [template: string, outcome: Omit<Case, 'template'>, reason: string][] = [
  ['{{1i}}', { parse: 'template: output:1: complex numbers are not supported: "1i"' }, 'refused by name'],
  [
    '{{9223372036854775808}}',
    { parse: 'template: output:1: integer overflow: "9223372036854775808"' },
    'refused before it runs',
  ],
  ['{{call .name}}', { parse: 'template: output:1: function "call" is not supported' }, 'refused by name'],
  ['{{call}}', { parse: 'template: output:1: function "call" is not supported' }, 'refused by name'],
  [
    '{{printf "%x" "hello"}} {{printf "% x" "hello"}} {{printf "%#x" "hi"}} {{printf "%x" 2.5}}',
    {
      error:
        'template: output:1:73: executing "output" at <printf "%x" 2.5>: error calling printf: the verb %x is not supported for floating-point numbers',
    },
    'refused by name',
  ],
  ['{{eq .whole 2}}', { output: 'true' }, 'JSON as this client reads it has one kind of 2 and 2.0'],
  [
    '{{eq .whole 2.0}}',
    {
      error:
        'template: output:1:2: executing "output" at <eq .whole 2.0>: error calling eq: incompatible types for comparison: int64 and float64',
    },
    'JSON as this client reads it has one kind of 2 and 2.0',
  ],
  [
    '{{eq .map .map}}',
    {
      error:
        'template: output:1:2: executing "output" at <eq .map .map>: error calling eq: non-comparable type map[a:1 b:2 c:map[d:deep]]: map[string]interface {}',
    },
    'Go formats the map by a verb for texts',
  ],
  [
    '{{len .absent}}',
    {
      error:
        'template: output:1:2: executing "output" at <len .absent>: error calling len: len of nil pointer',
    },
    'Go tells of its own code',
  ],
  [
    '{{(print "a").x}}',
    {
      error:
        'template: output:1:13: executing "output" at <(print "a").x>: can\'t evaluate field x in type interface {}',
    },
    'values have one type of their own kind',
  ],
];

/** Integers have one type here: those of the template, an int in Go, are told as int64 too. */
function withOneInteger(each: Case): Case {
  const text = JSON.stringify(each).replaceAll(
    /(type |\(|EXTRA |and |float64 and |: )int(?=[=;"\\) ])/g,
    '$1int64',
  );
  return JSON.parse(
    text.replaceAll('map[string]interface {} int <nil>', 'map[string]interface {} int64 <nil>'),
  ) as Case; // As it was.
}

suite('as Go writes them', () => {
  for (const each of recorded.cases) {
    const [, difference, reason] = differences.find(([template]) => template === each.template) ?? [];
    const expected =
      difference === undefined ? withOneInteger(each) : { template: each.template, ...difference };
    const title = `${JSON.stringify(each.template)}${each.strict ? ' without missing keys' : ''}`;
    test(reason === undefined ? title : `${title}, except: ${reason}`, () =>
      assert.deepEqual(outcome(each), expected),
    );
  }
});
