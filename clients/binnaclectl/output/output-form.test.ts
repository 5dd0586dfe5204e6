import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { outputForm, outputFrom } from './output-form.ts';

const folder = mkdtempSync(join(tmpdir(), 'binnaclectl-output-'));
after(() => rmSync(folder, { recursive: true }));
const fileWith = (name: string, content: string) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const paths = fileWith('paths', '{.metadata.name}\n');
const template = fileWith('template', '{{range .items}}{{.metadata.name}}\n{{end}}');
const columns = fileWith('columns', 'NAME   COLOUR\n{metadata.name}  .spec.colour\n');
const oneLine = fileWith('one-line', 'NAME');
const uneven = fileWith('uneven', 'NAME COLOUR\n.a\n');

type Flags = Partial<Parameters<typeof outputFrom>[0]>;
const flags = (given: Flags) => ({
  output: undefined,
  template: undefined,
  allowMissingTemplateKeys: true,
  ...given,
});

const buoy = (name: string, colour: string) => ({ kind: 'Buoy', metadata: { name }, spec: { colour } });
const list = {
  kind: 'List',
  items: [buoy('north', 'red'), { kind: 'Buoy', metadata: { name: 'far-south' } }],
};

const printed: [flags: Flags, text: string][] = [
  [{ output: 'jsonpath={.items[*].metadata.name}' }, 'north far-south'],
  [{ output: 'jsonpath', template: '{.kind}' }, 'List'],
  [{ output: 'jsonpath-as-json={.items[*].spec.colour}' }, '[\n    "red"\n]\n'],
  [{ output: `jsonpath-file=${paths}` }, '\n'],
  [{ output: 'go-template={{len .items}} {{(index .items 0).spec.colour}}' }, '2 red'],
  [{ output: 'template={{.kind}}' }, 'List'],
  [{ template: '{{.kind}}' }, 'List'],
  [{ output: `go-template-file=${template}` }, 'north\nfar-south\n'],
  [{ output: 'templatefile', template }, 'north\nfar-south\n'],
  [
    { output: 'custom-columns=NAME:.metadata.name,COLOUR:spec.colour' },
    'NAME        COLOUR\nnorth       red\nfar-south   <none>\n',
  ],
  [{ output: 'custom-columns=N:{metadata.name}', noHeaders: true }, 'north\nfar-south\n'],
  [{ output: `custom-columns-file=${columns}` }, 'NAME        COLOUR\nnorth       red\nfar-south   <none>\n'],
];

for (const [given, text] of printed)
  test(`${given.output?.replace(folder, '…')} writes a list`, () => {
    const { form, printer } = outputFrom(flags(given));
    assert.equal(form, 'json');
    assert.equal(printer?.print(list), text);
  });

test('objects that are written one after the other share the columns and one header', () => {
  const { printer } = outputFrom(flags({ output: 'custom-columns=NAME:.metadata.name,COLOUR:.spec.colour' }));
  assert.equal(printer?.print(buoy('a', 'b')), 'NAME   COLOUR\na      b\n');
  assert.equal(printer?.print(buoy('long-name', 'b')), 'long-name   b\n');
  assert.equal(printer?.print(buoy('a', '\u001b[2J')), 'a           ^[[2J\n');
});

test('a command allows only the output forms that it has', () => {
  assert.equal(outputForm('wide', ['wide']), 'wide');
  assert.equal(outputForm(undefined, ['name']), 'table');
  assert.deepEqual(outputFrom(flags({ output: 'yaml' })), { form: 'yaml', printer: undefined });
  assert.deepEqual(outputFrom(flags({})), { form: 'table', printer: undefined });
  assert.throws(() => outputForm('json', ['yaml', 'name']), /allowed formats are: name,yaml$/);
});

const refused: [flags: Flags, message: string | RegExp][] = [
  [
    { output: 'xml' },
    /^unable to match a printer suitable for the output format "xml", allowed formats are: custom-columns,custom-columns-file,.*jsonpath,.*,yaml$/,
  ],
  [{ output: 'json=x' }, /output format "json=x", allowed/],
  [{ output: 'jsonpth={.a}' }, /output format "jsonpth=\{\.a\}", allowed/],
  [{ output: 'jsonpath={.a}', template: '{.b}' }, /output format "jsonpath=\{\.a\}", allowed/],
  [{ output: 'jsonpath' }, 'template format specified but no template given'],
  [{ output: 'jsonpath=' }, 'template format specified but no template given'],
  [{ output: 'go-template' }, 'template format specified but no template given'],
  [{ output: 'go-template={{.a' }, 'error parsing template {{.a, template: output:1: unclosed action'],
  [{ template: '{{call .a}}' }, /function "call" is not supported$/],
  [{ output: 'custom-columns=' }, 'custom-columns format specified but no custom columns given'],
  [{ output: 'jsonpath={.a' }, 'error parsing jsonpath {.a, unclosed action'],
  [
    { output: 'jsonpath-file=/none' },
    'error reading --template /none, open /none: no such file or directory',
  ],
  [
    { output: `jsonpath-file=${folder}` },
    `error reading --template ${folder}, read ${folder}: is a directory`,
  ],
  [
    { output: `go-template-file=${fileWith('long', 'x'.repeat(1024 * 1024 + 1))}` },
    /^error reading --template .*, it has more than 1048576 bytes$/,
  ],
  [
    { output: 'custom-columns-file=/none' },
    'error reading template /none, open /none: no such file or directory',
  ],
  [
    { output: 'custom-columns=NAME' },
    'unexpected custom-columns spec: NAME, expected <header>:<json-path-expr>',
  ],
  [{ output: 'custom-columns=NAME:{.a}}' }, /^unexpected path string, expected a 'name1\.name2' or/],
  [{ output: `custom-columns-file=${oneLine}` }, /^invalid template, missing spec line\. Expected format/],
  [{ output: `custom-columns-file=${fileWith('empty', '')}` }, /^invalid template, missing header line\./],
  [
    { output: `custom-columns-file=${uneven}` },
    "number of headers (2) and field specifications (1) don't match",
  ],
];

for (const [given, message] of refused)
  test(`${given.output?.replace(folder, '…')} is refused`, () =>
    assert.throws(() => outputFrom(flags(given)), { message }));

test('a template that does not fit an object is an error that does not show the object', () => {
  const { printer } = outputFrom(flags({ output: 'jsonpath={.items[5]}' }));
  assert.throws(() => printer?.print(list), {
    message:
      'error executing jsonpath "{.items[5]}": Error executing template: array index out of bounds: index 5, length 2',
  });
  const go = outputFrom(flags({ output: 'go-template={{index .items 5}}' }));
  assert.throws(
    () => go.printer?.print(list),
    /^Error: error executing template "\{\{index \.items 5\}\}": template: output:1:2: executing "output" at <index \.items 5>: error/,
  );
  const strict = outputFrom(flags({ output: 'jsonpath={.none}', allowMissingTemplateKeys: false }));
  assert.throws(() => strict.printer?.print(list), /none is not found$/);
});
