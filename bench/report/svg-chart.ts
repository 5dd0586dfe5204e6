const width = 520;
const barHeight = 18;
const barGap = 6;
const labelWidth = 150;
const plotHeight = 220;
const palette = [
  '#1f6f8b',
  '#c8553d',
  '#588157',
  '#8d6a9f',
  '#d19c1d',
  '#4a6fa5',
  '#a44a6a',
  '#6b705c',
  '#2a9d8f',
  '#7f5539',
];

/** Horizontal bars, one a value. */
export function barChart(
  title: string,
  bars: readonly { readonly label: string; readonly value: number }[],
): string {
  const most = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE);
  const height = 30 + bars.length * (barHeight + barGap);
  const drawn = bars.map(({ label, value }, index) => {
    const y = 28 + index * (barHeight + barGap);
    const length = Math.max(1, (value / most) * (width - labelWidth - 70));
    return `<text x="${labelWidth - 6}" y="${y + 13}" text-anchor="end" font-size="11" fill="currentColor">${escapeText(label)}</text><rect x="${labelWidth}" y="${y}" width="${length.toFixed(1)}" height="${barHeight}" rx="2" fill="${palette[0]}"/><text x="${labelWidth + length + 5}" y="${y + 13}" font-size="11" fill="currentColor">${shortNumber(value)}</text>`;
  });
  return svg(title, height, drawn.join(''));
}

/** Lines over 100 percentiles, on a logarithmic scale. */
export function lineChart(
  title: string,
  lines: readonly { readonly label: string; readonly values: readonly number[] }[],
): string {
  const all = lines.flatMap(({ values }) => values).filter(value => value > 0);
  const low = Math.log10(Math.min(...all, 1));
  const high = Math.log10(Math.max(...all, 10));
  const x = (index: number): number => 40 + (index / 99) * (width - 60);
  const y = (value: number): number =>
    30 + plotHeight - ((Math.log10(Math.max(value, 10 ** low)) - low) / (high - low)) * plotHeight;
  const drawn = lines.map(({ label, values }, index) => {
    const colour = palette[index % palette.length];
    const points = values
      .map((value, position) => `${x(position).toFixed(1)},${y(value).toFixed(1)}`)
      .join(' ');
    const legendY = 50 + plotHeight + Math.floor(index / 3) * 16;
    const legendX = 40 + (index % 3) * 160;
    return `<polyline points="${points}" fill="none" stroke="${colour}" stroke-width="1.6"/><rect x="${legendX}" y="${legendY}" width="10" height="10" fill="${colour}"/><text x="${legendX + 15}" y="${legendY + 9}" font-size="11" fill="currentColor">${escapeText(label)}</text>`;
  });
  const ticks = Array.from(
    { length: Math.floor(high) - Math.ceil(low) + 1 },
    (_, step) => 10 ** (Math.ceil(low) + step),
  );
  const grid = ticks.map(
    tick =>
      `<line x1="40" x2="${width - 20}" y1="${y(tick).toFixed(1)}" y2="${y(tick).toFixed(1)}" stroke="currentColor" stroke-opacity=".15"/><text x="34" y="${(y(tick) + 4).toFixed(1)}" text-anchor="end" font-size="10" fill="currentColor">${tick}</text>`,
  );
  const percents = [0, 50, 90, 99].map(
    percent =>
      `<text x="${x(percent)}" y="${44 + plotHeight}" text-anchor="middle" font-size="10" fill="currentColor">p${percent}</text>`,
  );
  const height = 70 + plotHeight + Math.ceil(lines.length / 3) * 16;
  return svg(title, height, grid.join('') + percents.join('') + drawn.join(''));
}

/** A line of a growth chart. */
export interface GrowthLine {
  readonly label: string;
  /** Points whose `isMarked` is true are drawn hollow. */
  readonly points: readonly { readonly x: number; readonly y: number; readonly isMarked: boolean }[];
}

/** Lines over steps, both on logarithmic scales: what grows in proportion rises as the diagonal does. */
export function growthChart(title: string, unit: string, lines: readonly GrowthLine[]): string {
  const drawable = lines
    .map(({ label, points }) => ({ label, points: points.filter(({ x, y }) => x > 0 && y > 0) }))
    .filter(({ points }) => points.length > 0);
  const all = drawable.flatMap(({ points }) => points);
  if (all.length === 0) return '';
  const x = logScale(
    all.map(point => point.x),
    { from: 50, to: width - 20 },
  );
  const y = logScale(
    all.map(point => point.y),
    { from: 30 + plotHeight, to: 30 },
  );
  const drawn = drawable.map(({ label, points }, index) => {
    const colour = palette[index % palette.length];
    const places = points.map(point => ({
      ...point,
      place: `${x.place(point.x).toFixed(1)},${y.place(point.y).toFixed(1)}`,
    }));
    const dots = places.map(({ place, isMarked }) => {
      const [cx, cy] = place.split(',');
      return `<circle cx="${cx}" cy="${cy}" r="3" stroke="${colour}" fill="${isMarked ? 'none' : colour}"/>`;
    });
    const legendY = 56 + plotHeight + Math.floor(index / 3) * 16;
    const legendX = 50 + (index % 3) * 155;
    return `<polyline points="${places.map(({ place }) => place).join(' ')}" fill="none" stroke="${colour}" stroke-width="1.6"/>${dots.join('')}<rect x="${legendX}" y="${legendY}" width="10" height="10" fill="${colour}"/><text x="${legendX + 15}" y="${legendY + 9}" font-size="11" fill="currentColor">${escapeText(label)}</text>`;
  });
  const steps = [...new Set(all.map(point => point.x))].sort((a, b) => a - b);
  const horizontal = steps.map(
    step =>
      `<text x="${x.place(step).toFixed(1)}" y="${46 + plotHeight}" text-anchor="middle" font-size="10" fill="currentColor">${step.toLocaleString('en')}</text>`,
  );
  const vertical = y.ticks.map(
    tick =>
      `<line x1="50" x2="${width - 20}" y1="${y.place(tick).toFixed(1)}" y2="${y.place(tick).toFixed(1)}" stroke="currentColor" stroke-opacity=".15"/><text x="44" y="${(y.place(tick) + 4).toFixed(1)}" text-anchor="end" font-size="10" fill="currentColor">${tick >= 1 ? tick.toLocaleString('en') : tick}</text>`,
  );
  const height = 76 + plotHeight + Math.ceil(drawable.length / 3) * 16;
  return svg(`${title} by ${unit}`, height, vertical.join('') + horizontal.join('') + drawn.join(''));
}

/** A logarithmic scale over whole powers of ten on the axis of values, or over the values alone where they lie within one. */
function logScale(
  values: readonly number[],
  { from, to }: { readonly from: number; readonly to: number },
): { place(value: number): number; readonly ticks: readonly number[] } {
  const low = Math.log10(Math.min(...values));
  const high = Math.log10(Math.max(...values));
  const isNarrow = high - low < 1;
  const [bottom, top] = isNarrow
    ? [low - (1 - (high - low)) / 2, high + (1 - (high - low)) / 2]
    : [low, high];
  const first = Math.ceil(bottom);
  const powers = Array.from({ length: Math.max(0, Math.floor(top) - first + 1) }, (_, i) => first + i);
  const ticks = powers.flatMap(power =>
    (top - bottom > 2.5 ? [1] : [1, 2, 5]).map(digit => digit * 10 ** power),
  );
  const below = top - bottom > 2.5 ? [] : [2, 5].map(digit => digit * 10 ** (first - 1));
  return {
    place: value => from + ((Math.log10(value) - bottom) / (top - bottom)) * (to - from),
    ticks: [...below, ...ticks].filter(tick => Math.log10(tick) >= bottom && Math.log10(tick) <= top),
  };
}

function svg(title: string, height: number, content: string): string {
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeText(title)}"><text x="0" y="15" font-size="13" font-weight="600" fill="currentColor">${escapeText(title)}</text>${content}</svg>`;
}

function shortNumber(value: number): string {
  return value >= 1000 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
