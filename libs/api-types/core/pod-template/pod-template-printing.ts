import { labelSelectorFrom } from '@binnacle/api-objects';
import type { TableColumn } from '../../definitions/kind-rules.ts';
import type { PodTemplateSpec } from '../../generated/core/v1.ts';
import type { LabelSelector } from '../../generated/meta/v1.ts';
import { joinedOrNone, wideColumn } from '../../printing/columns.ts';

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
export function containerCells(template: PodTemplateSpec | undefined): [names: string, images: string] {
  const containers = template?.spec?.containers ?? [];
  const texts = (field: 'name' | 'image') => containers.map(container => container[field] ?? '').join(',');
  return [texts('name'), texts('image')];
}

/** Formats a label selector as a cell; `<none>` if it is empty or invalid. */
export function selectorCell(selector: LabelSelector | undefined): string {
  if (selector === undefined) return '<none>';
  try {
    return labelSelectorFrom(selector).toString() || '<none>';
  } catch {
    return '<error>';
  }
}

/** Formats labels as a cell: `a=1,b=2`; `<none>` if there are none. */
export function labelsCell(labels: { readonly [key: string]: string } | undefined): string {
  return joinedOrNone(
    Object.entries(labels ?? {})
      .map(([key, value]) => `${key}=${value}`)
      .sort(),
  );
}
