const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** Writes a span of milliseconds as people read ages: at most two units, coarser the longer it is (`45s`, `5d3h`, `2y`). */
export function humanDuration(ms: number): string {
  if (Number.isNaN(ms) || ms < -SECOND) return '<invalid>';
  if (ms < 0) return '0s';
  if (ms < 2 * MINUTE) return `${Math.floor(ms / SECOND)}s`;
  if (ms < 10 * MINUTE) return twoUnits(ms, [MINUTE, 'm'], [SECOND, 's']);
  if (ms < 3 * HOUR) return `${Math.floor(ms / MINUTE)}m`;
  if (ms < 8 * HOUR) return twoUnits(ms, [HOUR, 'h'], [MINUTE, 'm']);
  if (ms < 2 * DAY) return `${Math.floor(ms / HOUR)}h`;
  if (ms < 8 * DAY) return twoUnits(ms, [DAY, 'd'], [HOUR, 'h']);
  if (ms < 2 * YEAR) return `${Math.floor(ms / DAY)}d`;
  if (ms < 8 * YEAR) return twoUnits(ms, [YEAR, 'y'], [DAY, 'd']);
  return `${Math.floor(ms / YEAR)}y`;
}

function twoUnits(
  ms: number,
  [large, largeName]: [number, string],
  [small, smallName]: [number, string],
): string {
  const rest = Math.floor((ms % large) / small);
  const head = `${Math.floor(ms / large)}${largeName}`;
  return rest === 0 ? head : `${head}${rest}${smallName}`;
}
