import { type JsonValue, labelSelectorFrom } from '@binnacle/api-objects';
import type { TableColumn } from '../definitions/definitions.ts';
import { joinedOrNone, wideColumn } from '../printing/columns.ts';
import { asObject, asObjects, asText } from '../values/json-access.ts';

const containersColumn = wideColumn('Containers', 'The names of the containers in the template.');
const imagesColumn = wideColumn('Images', 'The images of the containers in the template.');

/** The wide columns of kinds that create pods from a template. */
export const templateColumns: readonly TableColumn[] = [
  containersColumn,
  imagesColumn,
  wideColumn('Selector', 'The labels of the pods that are counted.'),
];

/** `templateColumns` without the selector. */
export const containerColumns: readonly TableColumn[] = [containersColumn, imagesColumn];

/** The cells under `containerColumns` for a pod template. */
export function containerCells(template: unknown): [names: string, images: string] {
  const containers = asObjects(asObject(asObject(template)?.['spec'])?.['containers']);
  const texts = (field: string) => containers.map(container => asText(container[field])).join(',');
  return [texts('name'), texts('image')];
}

/** A label selector as a cell: its canonical text, `<none>` when it names nothing. */
export function selectorCell(selector: JsonValue | undefined): string {
  if (asObject(selector) === undefined) return '<none>';
  try {
    return labelSelectorFrom(selector).toString() || '<none>';
  } catch {
    return '<error>';
  }
}

/** A map of labels as a cell: `a=1,b=2`, `<none>` when it is empty. */
export function labelsCell(labels: unknown): string {
  return joinedOrNone(
    Object.entries(asObject(labels) ?? {})
      .map(([key, value]) => `${key}=${asText(value)}`)
      .sort(),
  );
}
