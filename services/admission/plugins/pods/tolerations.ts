import type { Toleration } from '@binnacle/api-types/core/v1';

/**
 * Tolerations, found by the taints that they tolerate: to ask costs the same however many they are. One toleration covers
 * another when it tolerates every taint that the other one tolerates, as long.
 */
export class TolerationSet {
  readonly #texts = new Set<string>();
  /** How long the taints of a key, effect and value are tolerated, in seconds. */
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

  /** Whether an equal one is among them. */
  has(toleration: Toleration): boolean {
    return this.#texts.has(tolerationKey(toleration));
  }

  /** Whether one of them covers another toleration. */
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

/** Both lists in one, without what another toleration of them covers; of equal ones the first stays. */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): Toleration[] {
  const all = new Map([...first, ...second].map(each => [tolerationKey(each), each]));
  return notCoveredBefore(notCoveredBefore([...all.values()].reverse()).reverse());
}

/** The tolerations that no earlier one covers. */
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

/** Without a number of seconds a toleration never ends. */
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
