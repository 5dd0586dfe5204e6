import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** One object in both forms; a form that is missing is undefined. */
export interface Pair {
  /** The name of the files without their ends, for example `apps.v1.Deployment`. */
  readonly name: string;
  readonly json: string | undefined;
  readonly protobuf: string | undefined;
}

/** The pairs of `.json` and `.pb` files in a directory, by name. */
export function findPairs(directory: string): Pair[] {
  const files = new Set(readdirSync(directory));
  const names = [...files].flatMap(file => /^(.+)\.(?:json|pb)$/.exec(file)?.[1] ?? []);
  const findPath = (file: string) => (files.has(file) ? join(directory, file) : undefined);
  return [...new Set(names)]
    .sort()
    .map(name => ({ name, json: findPath(`${name}.json`), protobuf: findPath(`${name}.pb`) }));
}
