/** One series of a text of metrics. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const sampleLine = /^([A-Za-z_:][A-Za-z0-9_:]*)(?:\{(.*)\})? (\S+)(?: \S+)?$/;
const labelPair = /([A-Za-z_][A-Za-z0-9_]*)="((?:[^"\\]|\\.)*)"/g;

/** Reads the text format of Prometheus. Lines that are no samples are passed over. */
export function parseMetrics(text: string): Sample[] {
  return text.split('\n').flatMap(line => {
    const found = line.startsWith('#') ? null : sampleLine.exec(line);
    if (found === null) return [];
    const [, name = '', labels = '', value = ''] = found;
    return [{ name, labels: labelsIn(labels), value: numberFrom(value) }];
  });
}

function labelsIn(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(labelPair)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character)),
    ]),
  );
}

function numberFrom(text: string): number {
  if (text === '+Inf') return Number.POSITIVE_INFINITY;
  return text === '-Inf' ? Number.NEGATIVE_INFINITY : Number(text);
}
