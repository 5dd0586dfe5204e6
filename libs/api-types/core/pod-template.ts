import { fieldPath } from '@binnacle/api-objects';
import type { KindRules } from '../definitions/definitions.ts';
import { column, nameColumn, nameOf } from '../printing/columns.ts';
import { asObject } from '../values/json-access.ts';
import { applyPodTemplateDefaults } from './pod-template-defaults.ts';
import { containerCells, labelsCell } from './pod-template-printing.ts';
import { podTemplateErrors } from './pod-template-validation.ts';

/** The rules of PodTemplate objects. */
export const podTemplateRules: KindRules = {
  generation: true,
  returnsDeletedObject: true,
  applyDefaults: object => applyPodTemplateDefaults(object['template']),
  validate: object => podTemplateErrors(asObject(object['template']) ?? {}, { path: fieldPath('template') }),
  columns: [
    nameColumn,
    column('Containers', 'The names of the containers in the template.'),
    column('Images', 'The images of the containers in the template.'),
    column('Pod Labels', 'The labels of pods made from the template.'),
  ],
  cells: object => [
    nameOf(object),
    ...containerCells(object['template']),
    labelsCell(asObject(asObject(object['template'])?.['metadata'])?.['labels']),
  ],
};
