import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { repositoryDirectory } from '../../source-scan/source-files.ts';
import type { Setting } from './command-blocks.ts';

/** A symptom of the page on troubleshooting: its heading, the lines of its message, and commands that bring it about. */
interface Symptom {
  readonly heading: string;
  /** Each matches a line of the output; `…` stands for text that differs. */
  readonly message: readonly RegExp[];
  readonly commands: string;
}

/** The page on troubleshooting. */
const troubleshooting = 'docs/troubleshooting.md';

const provocations = parse(readFileSync(join(import.meta.dirname, 'symptoms.yaml'), 'utf8')) as Readonly<
  Record<string, Readonly<Record<string, string>>>
>;

/** The headings of the symptoms for which there are commands. */
export function provokedHeadings(): string[] {
  return Object.values(provocations).flatMap(symptoms => Object.keys(symptoms));
}

/** The symptoms of the page: each heading of the third level with the block of text that has its message. */
export function readMessages(
  text = readFileSync(join(repositoryDirectory, troubleshooting), 'utf8'),
): Map<string, string> {
  return new Map(
    text
      .split(/^### /m)
      .slice(1)
      .map(section => {
        const heading = section.slice(0, section.indexOf('\n'));
        const [, message = ''] = /^```text\n([\s\S]*?)^```$/m.exec(section) ?? [];
        return [heading, message] as const;
      }),
  );
}

/** The symptoms that come about in a setting. */
export function symptomsIn(setting: Setting): Symptom[] {
  const messages = readMessages();
  return Object.entries(provocations[setting] ?? {}).map(([heading, commands]) => {
    const lines = (messages.get(heading) ?? '').split('\n').filter(line => line !== '');
    const message = lines.map(line => new RegExp(line.split('…').map(literalPattern).join('.*')));
    return { heading, message, commands };
  });
}

function literalPattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
