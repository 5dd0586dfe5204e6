import { equalMessages } from '@binnacle/api-types';
import type { PodSpec, Toleration } from '@binnacle/api-types/core/v1';
import type { RuntimeClass } from '@binnacle/api-types/node/v1';
import type { Review } from '../../chain/review.ts';
import type { ObjectReader, SeenObject } from '../../sources/objects.ts';
import { forbidWrite } from '../pods/pod-review.ts';

/** The parts of a RuntimeClass that the plugin uses. Read-only. */
export interface RuntimeClassView {
  /** Resources that a pod uses in addition to its containers; undefined when the class names none. */
  readonly overhead: PodSpec['overhead'] | undefined;
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly tolerations: readonly Toleration[];
}

/** Source of the RuntimeClass of a pod. */
export interface RuntimeClasses {
  /** Returns the class of the pod under review; undefined when it names none. Refuses the write when the class does not exist. */
  of(review: Review, spec: PodSpec): Promise<RuntimeClassView | undefined>;
}

/** Creates a source of classes on a reader of their type. */
export function createRuntimeClasses(reader: Pick<ObjectReader, 'find'>): RuntimeClasses {
  return {
    async of(review, spec) {
      const name = spec.runtimeClassName ?? '';
      if (name === '') return undefined;
      const seen = await reader.find('', name, review.call);
      if (seen === undefined)
        throw forbidWrite(review, `there is no RuntimeClass named ${JSON.stringify(name)}`);
      return seen.derived(viewSlot, createView);
    },
  };
}

/** Whether the overhead of a pod is that of its class. */
export function isSameOverhead(overhead: PodSpec['overhead'], ofClass: PodSpec['overhead']): boolean {
  return equalMessages('core.v1.PodSpec', { overhead: overhead ?? {} }, { overhead: ofClass ?? {} });
}

const viewSlot = Symbol('runtime class view');

function createView(seen: SeenObject): RuntimeClassView {
  const object: RuntimeClass = seen.parse();
  const overhead = object.overhead;
  const scheduling = object.scheduling;
  return {
    overhead: overhead && (overhead.podFixed ?? {}),
    nodeSelector: scheduling?.nodeSelector ?? {},
    tolerations: scheduling?.tolerations ?? [],
  };
}
