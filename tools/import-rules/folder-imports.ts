import { posix } from 'node:path';
import { findCycles } from './cycles.ts';
import { folderLayers } from './layers.ts';

/** Imports among the folders of packages, those of types counted. */
export class FolderImports {
  readonly #edges = new Map<string, Map<string, string[]>>();
  readonly #layers: typeof folderLayers;
  readonly #upward: string[] = [];

  constructor(layers: typeof folderLayers = folderLayers) {
    this.#layers = layers;
  }

  /** Notes that a file of a package imports another file of it. */
  add(packageFolder: string, file: string, target: string): void {
    const from = posix.dirname(file);
    const to = posix.dirname(target);
    if (from === to) return;
    const upward = this.#upwardProblem(packageFolder, from, to);
    if (upward !== undefined) this.#upward.push(`${file}: ${upward}`);
    const folders = this.#edges.get(packageFolder) ?? new Map<string, string[]>();
    this.#edges.set(packageFolder, folders);
    const targets = folders.get(from) ?? [];
    folders.set(from, targets);
    if (!targets.includes(to)) targets.push(to);
  }

  /** A line for each import of a higher layer, then one for each circle. */
  violations(): string[] {
    const circles = [...this.#edges.values()].flatMap(folders => findCycles(folders).map(circleText));
    return [...this.#upward, ...circles];
  }

  #upwardProblem(packageFolder: string, from: string, to: string): string | undefined {
    const layers = this.#layers[packageFolder];
    if (layers === undefined) return undefined;
    const [lower, higher] = [from, to].map(folder => findTopFolder(packageFolder, folder));
    const places = [lower, higher].map(name => layers.findIndex(names => names.includes(name ?? '')));
    const unnamed = places.indexOf(-1);
    if (unnamed >= 0) return `${[from, to][unnamed]} is not in the table of layers of ${packageFolder}`;
    const [own = 0, imported = 0] = places;
    return imported > own
      ? `${lower} stands below ${higher} in ${packageFolder} and must not import it`
      : undefined;
  }
}

function circleText(circle: readonly string[]): string {
  return `${circle[0]}: folders import in a circle, types counted: ${circle.join(' -> ')} -> ${circle[0]}`;
}

function findTopFolder(packageFolder: string, folder: string): string {
  return posix.relative(packageFolder, folder).split('/')[0] || '.';
}
