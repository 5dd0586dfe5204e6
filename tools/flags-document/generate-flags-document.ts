import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { flagsDocument } from './flags-document.ts';
import { programs } from './programs.ts';

const target = fileURLToPath(new URL('../../docs/flags.md', import.meta.url));

/** Writes `docs/flags.md` anew, or only checks it; returns its name when it differed. */
export function generateFlagsDocument({ isCheck }: { readonly isCheck: boolean }): readonly string[] {
  const text = flagsDocument(programs);
  if (existsSync(target) && readFileSync(target, 'utf8') === text) return [];
  if (!isCheck) writeFileSync(target, text);
  return ['docs/flags.md'];
}
