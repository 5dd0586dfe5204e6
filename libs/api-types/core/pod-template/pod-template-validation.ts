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

/** Context of a template. */
interface TemplateContext {
  readonly path: FieldPath;
}

/** Context of the template of a replicated workload. */
interface ReplicatedTemplateContext extends TemplateContext {
  readonly kind: string;
  /** Undefined if the selector itself is invalid. */
  readonly selector: Pick<LabelSelector, 'matches'> | undefined;
  /** Number of pods that share the volumes of the template; default: 1. */
  readonly replicas?: number;
}

/** Validates a pod template. */
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

/** Validates labels and annotations of a template; kube-apiserver omits the metadata from their paths. */
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

/** Validates the template of a replicated workload, whose pods run until they are replaced. */
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

/** Validates that pods run until they are replaced: restart policy Always and no deadline. */
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

/** Validates that the selector matches the labels of the template. */
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

/** A GCE disk shared by several pods must be read-only. */
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
