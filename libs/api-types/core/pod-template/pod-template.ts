import { fieldPath } from '@binnacle/api-objects';
import type { KindRules } from '../../definitions/kind-rules.ts';
import type { PodTemplate } from '../../generated/core/v1.ts';
import { column, nameCell, nameColumn } from '../../printing/columns.ts';
import { gatedPodFields } from '../pod/gated-pod-fields.ts';
import { gatedPodRules } from '../pod/gated-pod-rules.ts';
import { changedTemplateWarnings, podWarnings } from '../pod/pod-warnings.ts';
import { applyPodTemplateDefaults } from './pod-template-defaults.ts';
import { containerCells, labelsCell } from './pod-template-printing.ts';
import { podTemplateErrors } from './pod-template-validation.ts';

/** The rules of PodTemplate objects. */
export const podTemplateRules: KindRules<PodTemplate> = {
  generation: true,
  gatedFields: gatedPodFields('template'),
  gatedRules: gatedPodRules('template'),
  returnsDeletedObject: true,
  applyDefaults: object => applyPodTemplateDefaults(object.template),
  validate: object => podTemplateErrors(object.template ?? {}, { path: fieldPath('template') }),
  warnings: (object, old) =>
    changedTemplateWarnings(object, old, () => podWarnings(object.template ?? {}, 'template')),
  columns: [
    nameColumn,
    column('Containers', 'The names of the containers in the template.'),
    column('Images', 'The images of the containers in the template.'),
    column('Pod Labels', 'The labels of pods made from the template.'),
  ],
  cells: object => [
    nameCell(object),
    ...containerCells(object.template),
    labelsCell(object.template?.metadata?.labels),
  ],
};
