import type { FormatContext } from './format-context.ts';

/** The place of a bookmark in a watch. */
interface BookmarkPlace {
  readonly revision: number;
  /** Whether it closes the existing objects. */
  readonly initialEventsEnd: boolean;
}

/** The metadata of a BOOKMARK event's object. */
type BookmarkMetadata = {
  readonly resourceVersion: string;
  readonly creationTimestamp: null;
  readonly annotations?: Readonly<Record<string, string>>;
};

/** The object of a BOOKMARK event: its kind and the resourceVersion, nothing else. */
export function bookmarkObject(context: FormatContext, place: BookmarkPlace) {
  const { definition, alias } = context;
  return {
    kind: definition.kind,
    apiVersion: alias.apiVersion,
    metadata: bookmarkMetadata(context, place),
  };
}

/** The metadata of a bookmark: the resourceVersion, and the annotation that ends the existing objects. */
export function bookmarkMetadata(
  { initialEventsEnd: annotations }: FormatContext,
  { revision, initialEventsEnd }: BookmarkPlace,
): BookmarkMetadata {
  return {
    resourceVersion: String(revision),
    creationTimestamp: null,
    ...(initialEventsEnd ? { annotations } : {}),
  };
}
