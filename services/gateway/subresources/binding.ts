import {
  causeFromFieldError,
  copyJson,
  type FieldError,
  fieldPath,
  notSupportedField,
  requiredField,
  timestampFrom,
} from '@binnacle/api-objects';
import type { Binding, Pod, PodCondition } from '@binnacle/api-types/core/v1';
import { decodeBody } from '@binnacle/codecs';
import { badRequest, conflict, invalid, resourceNotFound } from '@binnacle/status-errors';
import type { ApiRequest, ApiResult } from '../request/api-request.ts';
import type { WriteServices } from '../write/engine/run-write.ts';
import { placeInNamespace } from '../write/request-object.ts';
import { parseWriteOptions, type WriteOptions } from '../write/write-options.ts';
import { decodeSubresourceBody } from './request-body.ts';
import { createdStatus } from './success-status.ts';
import { writeThrough } from './write-through.ts';

const podBinding = { group: '', resource: 'pods/binding' };

/** POST on a pod's `binding`: puts the pod on a node, once and for all. */
export async function bindPod(request: ApiRequest, services: WriteServices): Promise<ApiResult> {
  const options = parseWriteOptions(request.query, 'CreateOptions');
  const { object } = await decodeSubresourceBody(request, options);
  const { name = '' } = object.metadata;
  if (name !== request.info.name) throw badRequest('name in URL does not match name in Binding object');
  return await bind(request, services, { binding: object, options });
}

/** POST on `bindings`, the older way: the binding has the name of the pod. */
export async function bindNamedPod(request: ApiRequest, services: WriteServices): Promise<ApiResult> {
  const pods = services.registry.resource('', 'v1', 'pods');
  if (pods === undefined) throw resourceNotFound();
  const options = parseWriteOptions(request.query, 'CreateOptions');
  const { definition, contentType } = request;
  const { fieldValidation } = options;
  const { object, warnings } = await decodeBody(await request.body(), contentType, {
    definition,
    fieldValidation,
  });
  request.warnings.push(...warnings);
  placeInNamespace(request, object);
  const { name = '' } = object.metadata;
  if (name === '') throw badRequest('the name of the pod must be provided as the name of the binding');
  const info = { ...request.info, resource: pods.resource, subresource: 'binding', name };
  return await bind({ ...request, definition: pods, info }, services, { binding: object, options });
}

async function bind(
  request: ApiRequest,
  services: WriteServices,
  { binding, options }: { readonly binding: Binding; readonly options: WriteOptions },
): Promise<ApiResult> {
  assertValid(binding);
  return await writeThrough(request, services, {
    options,
    operation: 'CREATE',
    show: current => {
      assertBindable(binding, current.object);
      return { object: binding };
    },
    apply(reviewed, current) {
      assertValid(reviewed);
      const bound = boundPod(current.object, reviewed, services.clock());
      const errors = request.definition.rules.validateUpdate?.(bound, current.object, 'binding') ?? [];
      if (errors.length > 0)
        throw invalid({ group: '', kind: 'Pod' }, request.info.name, errors.map(causeFromFieldError));
      return bound;
    },
    answer: createdStatus,
  });
}

/** A copy of a pod that is on the node of a binding and has the annotations of it; `now` is in ms since 1970. */
export function boundPod(pod: Pod, binding: Binding, now: number): Pod {
  const bound = copyJson(pod);
  const { spec, status } = bound;
  bound.spec = { ...spec, nodeName: targetName(binding) };
  bound.status = { ...status, conditions: withScheduled(status?.conditions ?? [], now) };
  const { annotations } = binding.metadata;
  if (annotations !== undefined)
    bound.metadata.annotations = { ...bound.metadata.annotations, ...copyJson(annotations) };
  return bound;
}

function withScheduled(conditions: PodCondition[], now: number): PodCondition[] {
  const isScheduled = ({ type }: PodCondition) => type === 'PodScheduled';
  if (conditions.find(isScheduled)?.status === 'True') return conditions;
  const scheduled = {
    type: 'PodScheduled',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: timestampFrom(now),
  };
  return [...conditions.filter(condition => !isScheduled(condition)), scheduled];
}

function assertBindable(binding: Binding, pod: Pod): void {
  const { name = '', uid = '', resourceVersion = '', deletionTimestamp } = pod.metadata;
  const wanted = binding.metadata;
  if (wanted.uid && wanted.uid !== uid)
    throw conflict(
      podBinding,
      name,
      `Precondition failed: UID in precondition: ${wanted.uid}, UID in object meta: ${uid}`,
    );
  if (wanted.resourceVersion && wanted.resourceVersion !== resourceVersion)
    throw conflict(
      podBinding,
      name,
      `Precondition failed: ResourceVersion in precondition: ${wanted.resourceVersion}, ResourceVersion in object meta: ${resourceVersion}`,
    );
  if (deletionTimestamp !== undefined)
    throw conflict(podBinding, name, `pod ${name} is being deleted, cannot be assigned to a host`);
  const nodeName = pod.spec?.nodeName ?? '';
  if (nodeName !== '')
    throw conflict(podBinding, name, `pod ${name} is already assigned to node ${JSON.stringify(nodeName)}`);
}

function assertValid(binding: Binding): void {
  const kind = binding.target?.kind ?? '';
  const path = fieldPath('target');
  const errors: FieldError[] = [];
  if (kind !== '' && kind !== 'Node') errors.push(notSupportedField(path.child('kind'), kind, ['Node', '']));
  if (targetName(binding) === '') errors.push(requiredField(path.child('name')));
  if (errors.length > 0)
    throw invalid(
      { group: '', kind: 'Binding' },
      binding.metadata.name ?? '',
      errors.map(causeFromFieldError),
    );
}

function targetName({ target }: Binding): string {
  return target?.name ?? '';
}
