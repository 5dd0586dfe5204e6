import { posix } from 'node:path';
import { findCycles } from './cycles.ts';

/** Imports among the folders of packages, those of types counted. */
export class FolderImports {
  readonly #edges = new Map<string, Map<string, string[]>>();

  /** Notes that a file of a package imports another file of it. */
  add(packageFolder: string, file: string, target: string): void {
    const from = posix.dirname(file);
    const to = posix.dirname(target);
    if (from === to) return;
    const folders = this.#edges.get(packageFolder) ?? new Map<string, string[]>();
    this.#edges.set(packageFolder, folders);
    const targets = folders.get(from) ?? [];
    folders.set(from, targets);
    if (!targets.includes(to)) targets.push(to);
  }

  /** A line for each circle. */
  violations(): string[] {
    return [...this.#edges.values()].flatMap(folders => findCycles(folders).map(circleText));
  }
}

function circleText(circle: readonly string[]): string {
  return `${circle[0]}: folders import in a circle, types counted: ${circle.join(' -> ')} -> ${circle[0]}`;
}
