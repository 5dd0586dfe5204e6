/**
 * The value of the first sample of a metric that has these labels, in the text that scrapers read; undefined where
 * there is none. Labels that are not named may have any value.
 */
export function findSample(
  text: string,
  metric: string,
  labels: Readonly<Record<string, string>>,
): number | undefined {
  return findSamples(text, metric).find(sample =>
    Object.entries(labels).every(([name, value]) => sample.labels[name] === value),
  )?.value;
}

/** One line of a metric. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Every sample of a metric. */
export function findSamples(text: string, metric: string): Sample[] {
  return text.split('\n').flatMap(line => {
    if (!line.startsWith(`${metric}{`) && !line.startsWith(`${metric} `)) return [];
    const pairs = [...line.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g)];
    const labels = Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value]));
    return [{ labels, value: Number(line.slice(line.lastIndexOf(' ') + 1)) }];
  });
}
