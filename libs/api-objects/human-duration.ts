const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

/** Formats milliseconds as an age for people: at most two units, coarser for longer ages (`45s`, `5d3h`, `2y`). */
export function humanDuration(ms: number): string {
  if (Number.isNaN(ms) || ms < -second) return '<invalid>';
  if (ms < 0) return '0s';
  if (ms < 2 * minute) return `${Math.floor(ms / second)}s`;
  if (ms < 10 * minute) return twoUnits(ms, [minute, 'm'], [second, 's']);
  if (ms < 3 * hour) return `${Math.floor(ms / minute)}m`;
  if (ms < 8 * hour) return twoUnits(ms, [hour, 'h'], [minute, 'm']);
  if (ms < 2 * day) return `${Math.floor(ms / hour)}h`;
  if (ms < 8 * day) return twoUnits(ms, [day, 'd'], [hour, 'h']);
  if (ms < 2 * year) return `${Math.floor(ms / day)}d`;
  if (ms < 8 * year) return twoUnits(ms, [year, 'y'], [day, 'd']);
  return `${Math.floor(ms / year)}y`;
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
