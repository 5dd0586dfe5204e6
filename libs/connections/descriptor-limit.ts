import { readFileSync } from 'node:fs';

/** File descriptors reserved for files, backends and outgoing requests. */
const reserve = 1000;
/** Maximum fraction of a small limit that is reserved. */
const reservedPart = 0.25;

/** Returns the limit of open file descriptors; undefined if it is unknown or unlimited. */
export function readDescriptorLimit(file = '/proc/self/limits'): number | undefined {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync(file, 'utf8'))?.[1];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}

/** Returns the wanted number of connections (0: no limit), or fewer if the descriptor limit requires it. */
export function fitConnections(wanted: number, descriptors: number | undefined): number {
  if (descriptors === undefined) return wanted;
  const room = Math.max(1, descriptors - Math.min(reserve, Math.ceil(descriptors * reservedPart)));
  return wanted === 0 ? room : Math.min(wanted, room);
}
