import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FuzzTarget } from './targets/fuzz-target.ts';

const corpus = join(import.meta.dirname, 'corpus');

/** An input that is tried on every run. */
interface KeptInput {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The inputs of a target's folder: those that broke it once, and those that are meant to. */
export function keptInputs({ name }: FuzzTarget): KeptInput[] {
  const folder = join(corpus, name);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map(file => ({ name: file, bytes: readFileSync(join(folder, file)) }));
}

/** Keeps an input that broke a target; tells where. */
export function keepInput({ name }: FuzzTarget, kind: string, bytes: Uint8Array): string {
  const folder = join(corpus, name);
  mkdirSync(folder, { recursive: true });
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
  const path = join(folder, `${kind}-${digest}`);
  writeFileSync(path, bytes);
  return path;
}
