import { readFileSync } from 'node:fs';

/** Descriptors that are left for files, backends and requests that the server makes itself. */
const reserve = 1000;
/** Of a small limit, the part that is left for them. */
const reservedPart = 0.25;

/** How many descriptors the process may have open; undefined where the system does not say, or sets no limit. */
export function readDescriptorLimit(file = '/proc/self/limits'): number | undefined {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync(file, 'utf8'))?.[1];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}

/** The wanted number of connections (0: no limit), or less where the limit on descriptors leaves no room for so many. */
export function fitConnections(wanted: number, descriptors: number | undefined): number {
  if (descriptors === undefined) return wanted;
  const room = Math.max(1, descriptors - Math.min(reserve, Math.ceil(descriptors * reservedPart)));
  return wanted === 0 ? room : Math.min(wanted, room);
}
