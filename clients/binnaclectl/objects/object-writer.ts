import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { type ResourceType, singularName } from '../discovery/resource-type.ts';
import { Columns } from '../output/columns.ts';
import { documentText, withoutManagedFields } from '../output/documents.ts';
import type { OutputForm } from '../output/output-form.ts';
import type { Printer } from '../output/template-forms.ts';
import type { Column, Item } from './page.ts';

/** Options of the output of objects of one type. */
export interface WriterOptions {
  readonly form: OutputForm;
  /** Of a template, instead of the form. */
  readonly printer?: Printer | undefined;
  readonly type: ResourceType;
  readonly headers: boolean;
  readonly showsLabels: boolean;
  readonly showsManagedFields: boolean;
  /** Whether a table says the namespace of each object. */
  readonly showsNamespace: boolean;
  /** Whether a table says the type before each name: where there are tables of several types. */
  readonly showsType: boolean;
  /** Whether each object is written with its event. */
  readonly showsEvents: boolean;
}

/** `MODIFIED`: columns do not move with what comes. */
const longestEvent = 8;

/** Writes objects of one type one after the other; in a table the columns go on. */
export class ObjectWriter {
  readonly #options: WriterOptions;
  readonly #columns = new Columns();
  #definitions: readonly Column[] = [];
  #hasHeader = false;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** The text of some objects; `columns` where they have come with them. */
  write(items: readonly Item[], columns?: readonly Column[], event = ''): string {
    const { form, printer, type } = this.#options;
    if (columns !== undefined) this.#definitions = columns;
    if (printer !== undefined)
      return items.map(({ object }) => printer.print(withEvent(object, event))).join('');
    switch (form) {
      case 'table':
      case 'wide':
        return this.#rows(items, event);
      case 'name':
        return items
          .map(({ metadata }) => `${event && `${event} `}${singularName(type)}/${metadata.name}\n`)
          .join('');
      default:
        return items.map(item => this.#document(item, form, event)).join('');
    }
  }

  #document({ object }: Item, form: 'json' | 'yaml', event: string): string {
    const shown = this.#options.showsManagedFields ? object : withoutManagedFields(object);
    return (form === 'yaml' ? '---\n' : '') + documentText(withEvent(shown, event), form);
  }

  #rows(items: readonly Item[], event: string): string {
    if (items.length === 0) return '';
    const { form, headers, showsLabels, showsNamespace, showsEvents } = this.#options;
    const shown = this.#definitions.flatMap(({ priority }, index) =>
      form === 'wide' || priority === 0 ? [index] : [],
    );
    const lines = items.map(item => [
      ...(showsEvents ? [event.padEnd(longestEvent)] : []),
      ...(showsNamespace ? [item.metadata.namespace] : []),
      ...shown.map(index => this.#cell(item, index)),
      ...(showsLabels ? [labelsText(item.metadata.labels)] : []),
    ]);
    const header = [
      ...(showsEvents ? ['EVENT'] : []),
      ...(showsNamespace ? ['NAMESPACE'] : []),
      ...shown.map(index => (this.#definitions[index]?.name ?? '').toUpperCase()),
      ...(showsLabels ? ['LABELS'] : []),
    ];
    const needsHeader = headers && !this.#hasHeader;
    this.#hasHeader = true;
    return this.#columns.write(needsHeader ? [header, ...lines] : lines);
  }

  #cell(item: Item, index: number): string {
    const text = cellText(item.cells[index] ?? null);
    const isName = this.#definitions[index]?.name.toLowerCase() === 'name';
    return isName && this.#options.showsType ? `${singularName(this.#options.type)}/${text}` : text;
  }
}

function withEvent(object: JsonObject, event: string): JsonObject {
  return event === '' ? object : { type: event, object };
}

function cellText(cell: JsonValue): string {
  if (cell === null) return '<none>';
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
}

function labelsText(labels: JsonObject): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}=${String(value)}`);
  return pairs.length === 0 ? '<none>' : pairs.sort().join(',');
}
