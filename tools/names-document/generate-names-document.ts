import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as tables from '@binnacle/api-names/table';
import { describeTable, namesDocument } from './names-document.ts';

const target = fileURLToPath(new URL('../../docs/names.md', import.meta.url));
const sources = new URL('../../libs/api-names/table/', import.meta.url);

/** Writes `docs/names.md` anew, or only checks it; returns its name when it differed. */
export function generateNamesDocument({ isCheck }: { readonly isCheck: boolean }): readonly string[] {
  const text = namesDocument(describedTables());
  if (existsSync(target) && readFileSync(target, 'utf8') === text) return [];
  if (!isCheck) writeFileSync(target, text);
  return ['docs/names.md'];
}

/** All tables of names in the order of their source files. */
function describedTables() {
  const source = readdirSync(sources)
    .filter(file => !file.endsWith('.test.ts'))
    .map(file => readFileSync(new URL(file, sources), 'utf8'))
    .join('\n');
  const findPlace = (name: string) => source.indexOf(`export const ${name} `);
  return Object.entries(tables)
    .toSorted(([a], [b]) => findPlace(a) - findPlace(b))
    .map(([name, names]) => describeTable(name, names, source));
}
