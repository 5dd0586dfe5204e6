/** The state of a family for one combination of label values. */
export interface FamilyCell {
  readonly labels: readonly string[];
  /** Renders its lines in the Prometheus text format, each preceded by a line break. */
  lines(name: string, labels: string): string;
}

/** Options of a family. */
export interface FamilyOptions<C extends FamilyCell> {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labelNames: readonly string[];
  readonly create: (labels: readonly string[]) => C;
  /** Maximum number of combinations of label values. */
  readonly mostCells: number;
}

/** Label value of the combination that stands for all beyond the maximum. */
const beyondBound = 'other';

/** The metrics of one name, with a cell for each combination of label values. */
export class Family<C extends FamilyCell> {
  readonly name: string;
  readonly #options: FamilyOptions<C>;
  readonly #cells = new Map<string, C>();

  constructor(options: FamilyOptions<C>) {
    this.name = options.name;
    this.#options = options;
  }

  /**
   * Returns the cell of these label values, which is created once and kept. All combinations beyond the maximum share
   * one cell.
   */
  labels(...values: string[]): C {
    const key = values.length === 1 ? (values[0] ?? '') : values.join('\u0000');
    const cell = this.#cells.get(key);
    if (cell !== undefined) return cell;
    const { create, mostCells } = this.#options;
    if (this.#cells.size < mostCells) return this.#add(key, create(values));
    const others = values.map(() => beyondBound);
    const shared = others.join('\u0000');
    return this.#cells.get(shared) ?? this.#add(shared, create(others));
  }

  /** Removes the cells with all of these label values; none if the family lacks one of the labels. */
  remove(match: Readonly<Record<string, string>>): void {
    const { labelNames } = this.#options;
    const wanted = Object.entries(match).map(([name, value]) => [labelNames.indexOf(name), value] as const);
    if (wanted.some(([index]) => index < 0)) return;
    for (const [key, { labels }] of this.#cells)
      if (wanted.every(([index, value]) => labels[index] === value)) this.#cells.delete(key);
  }

  /** Yields the text of the family: its help and type, then each cell. */
  *texts(): Generator<string, void> {
    const { help, type, labelNames } = this.#options;
    yield `# HELP ${this.name} ${escaped(help)}\n# TYPE ${this.name} ${type}`;
    // A counter or gauge without labels is rendered as 0 before its first use.
    if (labelNames.length === 0 && this.#cells.size === 0 && type !== 'histogram') yield `\n${this.name} 0`;
    for (const cell of this.#cells.values()) {
      const labels = labelNames.map((name, index) => `${name}="${escapedValue(cell.labels[index] ?? '')}"`);
      yield cell.lines(this.name, labels.join());
    }
  }

  #add(key: string, cell: C): C {
    this.#cells.set(key, cell);
    return cell;
  }
}

function escaped(text: string): string {
  return text.replace(/\\/g, '\\\\').replace(/\n/g, '\\n');
}

function escapedValue(text: string): string {
  return /[\\\n"]/.test(text) ? escaped(text).replace(/"/g, '\\"') : text;
}
