/** One media type of an `Accept` header. */
export interface AcceptedType {
  /** Lower case, without parameters. */
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  /** 0 to 1. */
  readonly quality: number;
}

const longestHeader = 4096;

/**
 * Reads an `Accept` header: the types with the highest quality come first; among equals the wildcard for any type comes
 * last and the others keep the order of the header.
 */
export function parseAccept(header: string): AcceptedType[] {
  return header
    .slice(0, longestHeader)
    .split(',')
    .map(parseType)
    .filter(accepted => accepted.type !== '' && accepted.quality > 0)
    .sort((a, b) => b.quality - a.quality || anyLast(a) - anyLast(b));
}

function anyLast({ type }: AcceptedType): number {
  return type === '*/*' ? 1 : 0;
}

function parseType(text: string): AcceptedType {
  const [type = '', ...rest] = text.split(';').map(part => part.trim());
  const parameters = new Map<string, string>();
  for (const part of rest) {
    const equals = part.indexOf('=');
    if (equals > 0) parameters.set(part.slice(0, equals).trim().toLowerCase(), part.slice(equals + 1).trim());
  }
  const quality = Number(parameters.get('q') ?? 1);
  parameters.delete('q');
  return { type: type.toLowerCase(), parameters, quality: Number.isFinite(quality) ? quality : 0 };
}
