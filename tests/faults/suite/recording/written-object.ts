/** The parts of objects that the clients of the suite write and read. */
export interface WrittenObject {
  readonly metadata: {
    readonly name?: string;
    readonly namespace?: string;
    readonly resourceVersion?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: {
    readonly clusterIP?: string;
    readonly ports?: readonly { readonly nodePort?: number; readonly protocol?: string }[];
  };
}

/** A list of them. */
export interface WrittenObjectList {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly WrittenObject[];
}

/** The annotation that tells contents apart; each write sets it to another value. */
export const valueAnnotation = 'fault-suite/value';

/** The value of an object; '' for one that the suite did not write. */
export function readWrittenValue({ metadata }: WrittenObject): string {
  return metadata.annotations?.[valueAnnotation] ?? '';
}

/** The addresses and ports of a Service; undefined for anything else. */
export function readHolds({ spec }: WrittenObject): Record<string, string> | undefined {
  if (spec?.clusterIP === undefined) return undefined;
  const holds: Record<string, string> = { clusterIP: spec.clusterIP };
  for (const [index, { nodePort, protocol = 'TCP' }] of (spec.ports ?? []).entries())
    if (nodePort !== undefined)
      holds[index === 0 ? 'nodePort' : `nodePort-${index}`] = `${nodePort}/${protocol}`;
  return holds;
}
