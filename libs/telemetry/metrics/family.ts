/** The state of a family for one combination of label values. */
export interface FamilyCell {
  readonly labels: readonly string[];
  /** Its lines in the text format of Prometheus, each after a line end. */
  lines(name: string, labels: string): string;
}

/** Options of a family. */
export interface FamilyOptions<C extends FamilyCell> {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labelNames: readonly string[];
  readonly create: (labels: readonly string[]) => C;
  /** Combinations of label values that are told apart. */
  readonly mostCells: number;
}

/** The value of every label of the one combination that stands for all beyond the bound. */
const beyondBound = 'other';

/** The metrics of one name: a cell for each combination of label values. */
export class Family<C extends FamilyCell> {
  readonly name: string;
  readonly #options: FamilyOptions<C>;
  readonly #cells = new Map<string, C>();

  constructor(options: FamilyOptions<C>) {
    this.name = options.name;
    this.#options = options;
  }

  /** The cell of label values; made once and kept. Beyond the bound of the family all share one. */
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

  /** Forgets the cells that have all of these label values; of a family without one of the labels, none. */
  remove(match: Readonly<Record<string, string>>): void {
    const { labelNames } = this.#options;
    const wanted = Object.entries(match).map(([name, value]) => [labelNames.indexOf(name), value] as const);
    if (wanted.some(([index]) => index < 0)) return;
    for (const [key, { labels }] of this.#cells)
      if (wanted.every(([index, value]) => labels[index] === value)) this.#cells.delete(key);
  }

  /** The text of the family: what it is, then every cell, each in a piece of its own. */
  *texts(): Generator<string, void> {
    const { help, type, labelNames } = this.#options;
    yield `# HELP ${this.name} ${escaped(help)}\n# TYPE ${this.name} ${type}`;
    // A family without labels is 0 before it is counted for the first time.
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
