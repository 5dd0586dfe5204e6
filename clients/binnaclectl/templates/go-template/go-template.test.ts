import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TemplateError } from '../template-error.ts';
import { goTemplateText } from './go-template-text.ts';
import { parseGoTemplate } from './parse-go-template.ts';

const run = (text: string, document: Parameters<typeof goTemplateText>[1] = {}, mostSteps = 1_000) =>
  goTemplateText(parseGoTemplate(text), document, { mostSteps });

test('the work of a template is bounded', () => {
  const ranges = '{{range .}}{{range $}}{{range $}}x{{end}}{{end}}{{end}}';
  assert.equal(run(ranges, [1, 2]), 'x'.repeat(8));
  for (const text of [ranges, '{{range 1000000}}{{end}}', '{{range .}}{{range 100}}{{break}}{{end}}{{end}}'])
    assert.throws(
      () =>
        run(
          text,
          Array.from({ length: 300 }, () => 1),
        ),
      /^Error: the template needs too many steps$/,
    );
});

test('the output of a template, and the text of a variable, are bounded', () => {
  const wide = 'x'.repeat(1024 * 1024);
  assert.throws(
    () => run('{{range 70}}{{$.a}}{{end}}', { a: wide }),
    /^Error: the output has more than \d+ characters$/,
  );
  assert.throws(
    () => run('{{$x := .a}}{{range 10}}{{$x = print $x $x}}{{end}}', { a: wide }),
    /error calling print: the result has more than \d+ characters$/,
  );
});

test('nesting of actions and recursion of templates are limited', () => {
  assert.throws(
    () => run('{{define "r"}}{{template "r" .}}{{end}}{{template "r"}}'),
    /executing "r" at <\{\{template "r" \.\}\}>: exceeded maximum template depth \(250\)$/,
  );
  const nested = (count: number) => '{{if true}}'.repeat(count) + '{{end}}'.repeat(count);
  assert.equal(run(`${nested(150)}x`), 'x');
  assert.throws(() => run(nested(300)), /actions are nested deeper than 200 levels$/);
  assert.throws(() => run(`{{if true}}${'{{else if true}}'.repeat(5_000)}{{end}}`), TemplateError);
  assert.throws(() => run(`{{${'('.repeat(300)}1${')'.repeat(300)}}}`), /max expression depth exceeded$/);
  assert.throws(() => parseGoTemplate('x'.repeat(1024 * 1024 + 1)), /has more than 1048576 characters$/);
});

test('no name reaches a property of a prototype', () => {
  const document = { list: ['a'], text: 'b' };
  for (const path of ['.constructor', '.__proto__', '.toString', '.__proto__.x', '.hasOwnProperty'])
    assert.equal(run(`{{${path}}}`, document), '<no value>', path);
  for (const path of ['.list.length', '.text.constructor', '.list.constructor', '.text.length'])
    assert.throws(
      () => run(`{{${path}}}`, document),
      /can't evaluate field \w+ in type interface \{\}$/,
      path,
    );
  assert.equal(run('{{index . "constructor"}} {{exists . "__proto__"}}', document), '<no value> false');
});

test('an error names its line and column', () => {
  assert.throws(() => run('a\n  é {{.b.c.d}}', { b: 'x' }), {
    message:
      'template: output:2:9: executing "output" at <.b.c.d>: can\'t evaluate field c in type interface {}',
  });
});

test('a template can be run for several objects with the same results', () => {
  const template = parseGoTemplate(
    '{{define "t"}}<{{.}}>{{end}}{{range $k, $v := .}}{{$k}}{{template "t" $v}}{{end}}',
  );
  for (const text of ['x', 'y']) assert.equal(goTemplateText(template, { a: text, b: 1 }), `a<${text}>b<1>`);
});
