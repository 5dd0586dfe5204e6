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

/** What is said of a template beside its content. */
interface TemplateContext {
  readonly path: FieldPath;
  /** Volumes of claims that the pods have beside those of the template. */
  readonly furtherClaims?: readonly string[];
}

/** What a kind that keeps a number of pods running demands of its template. */
interface ReplicatedTemplateContext extends TemplateContext {
  readonly kind: string;
  /** Absent when it is wrong itself. */
  readonly selector: LabelSelector | undefined;
  /** How many pods share the disks of the template; default 1. */
  readonly replicas?: number;
}

/** The findings about a template of pods. */
export function podTemplateErrors(template: PodTemplateSpec, context: TemplateContext): FieldError[] {
  const { path, furtherClaims = [] } = context;
  const { metadata, spec = {} } = template;
  const annotations = textMap(metadata?.annotations);
  // kube-apiserver leaves the metadata out of these paths.
  const annotations$ = path.child('annotations');
  const errors = [
    ...validateLabels(textMap(metadata?.labels), path.child('labels')),
    ...validateAnnotations(annotations, annotations$),
    ...podAnnotationErrors(annotations, spec, annotations$),
    ...podSpecErrors(spec, path.child('spec'), furtherClaims),
  ];
  if ((spec.ephemeralContainers ?? []).length > 0)
    errors.push(
      forbiddenField(
        path.child('spec', 'ephemeralContainers'),
        'ephemeral containers are not allowed in a pod template',
      ),
    );
  return errors;
}

/** The findings about a template whose pods run until they are replaced, and are counted by a selector. */
export function replicatedTemplateErrors(
  template: PodTemplateSpec,
  context: ReplicatedTemplateContext,
): FieldError[] {
  const { path, kind, selector, replicas = 1 } = context;
  const { spec = {} } = template;
  const errors = [
    ...labelMatchErrors(template, selector, path),
    ...podTemplateErrors(template, context),
    ...(replicas > 1 ? sharedDiskErrors(spec, path.child('spec', 'volumes')) : []),
  ];
  const policy: string = spec.restartPolicy ?? '';
  if (policy !== 'Always')
    errors.push(notSupportedField(path.child('spec', 'restartPolicy'), policy, ['Always']));
  if (spec.activeDeadlineSeconds !== undefined)
    errors.push(
      forbiddenField(
        path.child('spec', 'activeDeadlineSeconds'),
        `activeDeadlineSeconds in ${kind} is not supported`,
      ),
    );
  return errors;
}

/** The findings about the labels of a template: the selector finds pods that bear them. */
export function labelMatchErrors(
  template: PodTemplateSpec,
  selector: LabelSelector | undefined,
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
