import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidField,
  type LabelSelector,
  notSupportedField,
  validateAnnotations,
  validateLabels,
} from '@binnacle/api-objects';
import type { PodSpec, PodTemplateSpec } from '../../generated/core/v1.ts';
import { podAnnotationErrors } from '../pod/pod-annotations.ts';
import { podSpecErrors, textMap } from '../pod/pod-validation.ts';

/** The surroundings of a template. */
interface TemplateContext {
  readonly path: FieldPath;
}

/** The demands of a kind that keeps a number of pods running on its template. */
interface ReplicatedTemplateContext extends TemplateContext {
  readonly kind: string;
  /** Absent when it is wrong itself. */
  readonly selector: Pick<LabelSelector, 'matches'> | undefined;
  /** How many pods share the disks of the template; default 1. */
  readonly replicas?: number;
}

/** The findings about a template of pods. */
export function podTemplateErrors(template: PodTemplateSpec, { path }: TemplateContext): FieldError[] {
  const { spec = {} } = template;
  const errors = [...templateMetadataErrors(template, path), ...podSpecErrors(spec, path.child('spec'))];
  if ((spec.ephemeralContainers ?? []).length > 0)
    errors.push(
      forbiddenField(
        path.child('spec', 'ephemeralContainers'),
        'ephemeral containers not allowed in pod template',
      ),
    );
  return errors;
}

/** The findings about labels and annotations of a template; kube-apiserver leaves the metadata out of their paths. */
export function templateMetadataErrors(
  { metadata, spec = {} }: PodTemplateSpec,
  path: FieldPath,
): FieldError[] {
  const annotations = textMap(metadata?.annotations);
  const annotations$ = path.child('annotations');
  return [
    ...validateLabels(textMap(metadata?.labels), path.child('labels')),
    ...validateAnnotations(annotations, annotations$),
    ...podAnnotationErrors(annotations, spec, annotations$),
  ];
}

/** The findings about a template whose pods run until they are replaced, and are counted by a selector. */
export function replicatedTemplateErrors(
  template: PodTemplateSpec,
  context: ReplicatedTemplateContext,
): FieldError[] {
  const { path, kind, selector, replicas = 1 } = context;
  const { spec = {} } = template;
  return [
    ...labelMatchErrors(template, selector, path),
    ...podTemplateErrors(template, context),
    ...(replicas > 1 ? sharedDiskErrors(spec, path.child('spec', 'volumes')) : []),
    ...endlessErrors(spec, kind, path.child('spec')),
  ];
}

/** The findings about pods that are to run until they are replaced. */
export function endlessErrors(spec: PodSpec, kind: string, path: FieldPath): FieldError[] {
  const policy: string = spec.restartPolicy ?? '';
  return [
    ...(policy === 'Always' ? [] : [notSupportedField(path.child('restartPolicy'), policy, ['Always'])]),
    ...(spec.activeDeadlineSeconds === undefined
      ? []
      : [
          forbiddenField(
            path.child('activeDeadlineSeconds'),
            `activeDeadlineSeconds in ${kind} is not Supported`,
          ),
        ]),
  ];
}

/** The findings about the labels of a template: the selector finds pods that bear them. */
export function labelMatchErrors(
  template: PodTemplateSpec,
  selector: Pick<LabelSelector, 'matches'> | undefined,
  path: FieldPath,
): FieldError[] {
  const labels = textMap(template.metadata?.labels);
  if (selector === undefined || selector.matches(labels)) return [];
  return [
    invalidField(path.child('metadata', 'labels'), labels, '`selector` does not match template `labels`'),
  ];
}

/** A disk that several machines mount must be mounted without writing. */
function sharedDiskErrors(spec: PodSpec, path: FieldPath): FieldError[] {
  return (spec.volumes ?? []).flatMap((volume, index) => {
    const disk = volume.gcePersistentDisk;
    if (!disk || disk.readOnly === true) return [];
    return [
      invalidField(
        path.index(index).child('gcePersistentDisk', 'readOnly'),
        false,
        'must be true for more than one replica: machines can share the disk only when none writes',
      ),
    ];
  });
}
