import type { PriorityClass } from '@binnacle/api-types/scheduling/v1';
import type { CallContext } from '@binnacle/proto';
import type { ObjectReader, SeenObject } from '../../sources/objects.ts';

/** The parts of a PriorityClass that the plugin uses. */
export interface PriorityClassView {
  readonly name: string;
  readonly value: number;
  /** '' when the class has none. */
  readonly preemptionPolicy: NonNullable<PriorityClass['preemptionPolicy']> | '';
  readonly isGlobalDefault: boolean;
}

/** Source of PriorityClasses. */
export interface PriorityClasses {
  find(name: string, call: CallContext): Promise<PriorityClassView | undefined>;
  /** Returns the default class, of several the one with the lowest value; undefined when there is none. */
  globalDefault(call: CallContext): Promise<PriorityClassView | undefined>;
}

/** Creates a source of classes on a reader of their type. */
export function createPriorityClasses(reader: ObjectReader): PriorityClasses {
  return {
    async find(name, call) {
      const seen = await reader.find('', name, call);
      return seen && createView(seen);
    },
    async globalDefault(call) {
      const views = (await reader.list('', call)).map(createView).filter(view => view.isGlobalDefault);
      return views.toSorted((a, b) => a.value - b.value)[0];
    },
  };
}

const viewSlot = Symbol('priority class view');

function createView(seen: SeenObject): PriorityClassView {
  return seen.derived(viewSlot, source => {
    const object: PriorityClass = source.parse();
    return {
      name: source.name,
      value: object.value ?? 0,
      preemptionPolicy: object.preemptionPolicy ?? '',
      isGlobalDefault: object.globalDefault === true,
    };
  });
}
