import type { ApiObject } from '@binnacle/api-objects';
import type { CallContext } from '@binnacle/proto';
import type { ObjectReader, SeenObject } from './objects.ts';

/** Returns the name of the current default class; undefined when there is none. */
type DefaultClassSource = (call: CallContext) => Promise<string | undefined>;

interface ClassView {
  readonly name: string;
  readonly createdAt: string;
  readonly isDefault: boolean;
}

/** Creates a source of the default class of one type: of several the newest, then the first by name. */
export function createDefaultClassSource(
  classes: ObjectReader,
  isDefault: (object: ApiObject) => boolean,
): DefaultClassSource {
  const slot = Symbol('class view');
  const createView = (seen: SeenObject): ClassView => {
    const object = seen.parse();
    return {
      name: seen.name,
      createdAt: object.metadata.creationTimestamp ?? '',
      isDefault: isDefault(object),
    };
  };
  return async call => {
    const seen = await classes.list('', call);
    const [first] = seen
      .map(object => object.derived(slot, createView))
      .filter(view => view.isDefault)
      .sort(newestFirst);
    return first?.name;
  };
}

/** Compares classes, the newest first: RFC 3339 texts in UTC with whole seconds sort by time. */
function newestFirst(a: ClassView, b: ClassView): number {
  if (a.createdAt !== b.createdAt) return a.createdAt > b.createdAt ? -1 : 1;
  return a.name < b.name ? -1 : 1;
}
