import type { Toleration } from '@binnacle/api-types/core/v1';

/**
 * A set of tolerations, indexed by the taints that they tolerate: a look-up costs the same however many there are. A toleration
 * covers another one when it tolerates every taint of the other one for at least as long.
 */
export class TolerationSet {
  readonly #texts = new Set<string>();
  /** Seconds for which the taints of a key, effect and value are tolerated. */
  readonly #seconds = new Map<string, number | bigint>();

  constructor(tolerations: readonly Toleration[] = []) {
    for (const toleration of tolerations) this.add(toleration);
  }

  add(toleration: Toleration): void {
    const { key = '', effect = '' } = toleration;
    const value = readOperator(toleration) === 'Exists' ? undefined : (toleration.value ?? '');
    const taints = taintsText(key, effect, value);
    const seconds = effect === 'NoExecute' ? readSeconds(toleration) : Number.POSITIVE_INFINITY;
    if (seconds > (this.#seconds.get(taints) ?? Number.NEGATIVE_INFINITY)) this.#seconds.set(taints, seconds);
    this.#texts.add(tolerationKey(toleration));
  }

  /** Whether the set has an equal toleration. */
  has(toleration: Toleration): boolean {
    return this.#texts.has(tolerationKey(toleration));
  }

  /** Whether a toleration of the set covers another one. */
  covers(toleration: Toleration): boolean {
    const { key = '', effect = '', value = '' } = toleration;
    const values = readOperator(toleration) === 'Equal' ? [undefined, value] : [undefined];
    const seconds = readSeconds(toleration);
    return (
      this.has(toleration) ||
      ['', key].some(ofKey =>
        ['', effect].some(ofEffect =>
          values.some(ofValue => {
            const longest = this.#seconds.get(taintsText(ofKey, ofEffect, ofValue));
            return longest !== undefined && longest >= seconds;
          }),
        ),
      )
    );
  }
}

/** Merges two lists without the tolerations that another one covers; of equal ones the first stays. */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): Toleration[] {
  const all = new Map([...first, ...second].map(each => [tolerationKey(each), each]));
  return notCoveredBefore(notCoveredBefore([...all.values()].reverse()).reverse());
}

/** Selects the tolerations that no earlier one covers. */
function notCoveredBefore(tolerations: readonly Toleration[]): Toleration[] {
  const earlier = new TolerationSet();
  return tolerations.filter(toleration => {
    if (earlier.covers(toleration)) return false;
    earlier.add(toleration);
    return true;
  });
}

function readOperator(toleration: Toleration): string {
  return toleration.operator || 'Equal';
}

/** Returns the seconds of a toleration; without them it never ends. */
function readSeconds({ tolerationSeconds }: Toleration): number | bigint {
  return tolerationSeconds ?? Number.POSITIVE_INFINITY;
}

/** `value` is undefined where any value is tolerated. */
function taintsText(key: string, effect: string, value: string | undefined): string {
  return JSON.stringify([key, effect, value]);
}

function tolerationKey({ key, operator, value, effect, tolerationSeconds }: Toleration): string {
  return JSON.stringify([key, operator, value, effect, tolerationSeconds?.toString()]);
}
