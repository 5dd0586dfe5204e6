import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { repositoryDirectory } from '../source-scan/source-files.ts';

const read = (file: string) => readFileSync(join(repositoryDirectory, file), 'utf8');

describe('the documentation', () => {
  it('shows the same diagram everywhere', () => {
    const findDiagram = (file: string) => /^```\n +┌[\s\S]*?^```$/m.exec(read(file))?.[0];
    const diagram = findDiagram('README.md');
    assert.match(diagram ?? '', /controller-manager/);
    assert.equal(findDiagram('ARCHITECTURE.md'), diagram);
  });

  it('names the steps of a request in the order of the pipeline', () => {
    const pipeline = read('services/gateway/pipeline/create-pipeline.ts');
    const [way = ''] = /^async function handleRequest[\s\S]*?^}/m.exec(pipeline) ?? [];
    const steps = ['readTarget', 'authenticate', 'impersonate', 'enter', 'authorize', 'serve'];
    const called = [...way.matchAll(/\b(\w+)\(/g)].map(([, name = '']) => name);
    assert.deepEqual(
      called.filter(name => steps.includes(name)),
      steps,
    );
    assert.match(
      read('README.md'),
      /request info → authenticate → impersonate → flow control → authorize → serve/,
    );
  });

  it('has a single tour of kubectl, which is run as written', () => {
    const [tour = ''] = /^## Five minutes with kubectl$[\s\S]*?(?=^## )/m.exec(read('README.md')) ?? [];
    const blocks = [...tour.matchAll(/^```sh .*\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
    assert.ok(blocks.length >= 5);
    assert.deepEqual(
      blocks.filter(block => !block.includes('kubectl')),
      [],
    );
  });

  it('links to existing files and sections', () => {
    const files = globSync('{*.md,docs/**/*.md,deploy/*/README.md}', { cwd: repositoryDirectory });
    assert.ok(files.length > 30);
    const broken = files.flatMap(file =>
      [...read(file).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)]*))?\)/g)]
        .filter(([, target = '', anchor]) => !leadsSomewhere(file, target, anchor))
        .map(([link]) => `${file}: ${link}`),
    );
    assert.deepEqual(broken, []);
  });
});

/** Whether the target of a link exists, and the heading in it where the link names one. */
function leadsSomewhere(file: string, target: string, anchor: string | undefined): boolean {
  const path = target === '' ? file : join(dirname(file), target);
  if (!existsSync(join(repositoryDirectory, path))) return false;
  if (anchor === undefined || !path.endsWith('.md')) return true;
  const headings = [...read(path).matchAll(/^#+ (.*)$/gm)].map(([, text = '']) => anchorFrom(text));
  return headings.includes(anchor);
}

/** The anchor that is made of a heading: in lower case, without punctuation, with dashes for spaces. */
function anchorFrom(heading: string): string {
  const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
  return text.replaceAll(/[^\p{L}\p{N}\- _]/gu, '').replaceAll(' ', '-');
}
