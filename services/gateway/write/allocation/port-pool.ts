import { nodePortReservations } from '@binnacle/api-types';
import type { Pool } from './pool.ts';

/** A range of port numbers, both ends included. */
interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** Reads `30000-32767`. Throws for anything but a range of ports. */
export function parsePortRange(text: string): PortRange {
  const [, first, last] = /^(\d{1,5})-(\d{1,5})$/.exec(text) ?? [];
  const range = { first: Number(first), last: Number(last) };
  if (!(range.first >= 1 && range.first <= range.last && range.last <= 65_535))
    throw new Error(
      `not a range of ports: "${text}"; expected two numbers from 1 to 65535, as in 30000-32767`,
    );
  return range;
}

/** The pool of the node ports of a range. */
export function createPortPool({ first, last }: PortRange): Pool {
  const size = last - first + 1;
  return {
    name: `node ports ${first}-${last}`,
    reservationPrefix: nodePortReservations,
    size,
    firstDynamic: 0,
    valueAt: offset => String(first + offset),
    offsetOf(value) {
      const offset = Number(value) - first;
      return offset >= 0 && offset < size ? offset : undefined;
    },
  };
}
