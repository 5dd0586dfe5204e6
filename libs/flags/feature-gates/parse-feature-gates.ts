import type { FeatureGate, FeatureGates, FeatureStage } from './feature-gate.ts';

/** The gates that set all gates of a stage that are not named. */
const wholeStages: ReadonlyMap<string, FeatureStage> = new Map([
  ['AllAlpha', 'alpha'],
  ['AllBeta', 'beta'],
]);

/**
 * Parses gates from texts such as `A=true`. A named gate takes precedence over `AllAlpha` and `AllBeta`; of equal names
 * the last one counts. Throws an Error that names the gate for an unknown gate, for a value that is not a boolean, and
 * for a gate that cannot be disabled because its feature is GA (spec 1, "Versioning" 8).
 */
export function parseFeatureGates<Name extends string>(
  texts: readonly string[],
  known: Readonly<Record<Name, FeatureGate>>,
): FeatureGates<Name> {
  const gates = new Map<string, FeatureGate>(Object.entries(known));
  const named = new Map(texts.map(text => settingFrom(text, gates)));
  const enabled = new Map<string, boolean>();
  for (const [name, gate] of gates) {
    const ofStage = [...wholeStages].find(([, stage]) => stage === gate.stage)?.[0] ?? '';
    enabled.set(name, named.get(name) ?? named.get(ofStage) ?? gate.default);
  }
  return {
    isEnabled: name => enabled.get(name) === true,
    states: [...gates]
      .filter(([, { description }]) => description !== '')
      .map(([name, { stage }]) => ({ name, stage, enabled: enabled.get(name) === true })),
    warnings: [...named.keys()].flatMap(name => warningsFor(name, gates.get(name)?.stage)),
  };
}

/**
 * Returns the lines of the help text for each gate, by name, including deprecated ones (spec 1, "Versioning" 9); gates
 * without effect share the last line.
 */
export function describeFeatureGates(known: Readonly<Record<string, FeatureGate>>): string[] {
  const stages = [...wholeStages].map(
    ([name, stage]) => `${name}=true|false: every ${stage} feature that is not named`,
  );
  const all = Object.entries(known);
  const gates = all
    .filter(([, { description }]) => description !== '')
    .map(([name, gate]) => `${name}=true|false: ${gate.description} (${stateText(gate)})`);
  const others = all
    .filter(([, { description }]) => description === '')
    .map(([name, gate]) => `${name} (${stateText(gate)})`)
    .sort();
  const last = others.length === 0 ? [] : [`Accepted without effect: ${others.join(', ')}`];
  return [...[...stages, ...gates].sort(), ...last];
}

function stateText({ stage, default: on, canBeSwitchedOff }: FeatureGate): string {
  return stage === 'GA' && canBeSwitchedOff !== true ? 'GA, always on' : `${stage}, default: ${on}`;
}

function settingFrom(text: string, gates: ReadonlyMap<string, FeatureGate>): [string, boolean] {
  const equals = text.indexOf('=');
  if (equals < 0) throw new Error(`${text}: the value is missing, write ${text}=true or ${text}=false`);
  const name = text.slice(0, equals).trim();
  const value = booleanFrom(text.slice(equals + 1).trim());
  if (value === undefined) throw new Error(`${text}: the value must be true or false`);
  const gate = gates.get(name);
  if (gate === undefined && !wholeStages.has(name))
    throw new Error(`${name}: there is no feature gate of this name`);
  if (gate?.stage === 'GA' && gate.canBeSwitchedOff !== true && !value)
    throw new Error(
      `${name} cannot be switched off: the feature is generally available, its gate has no effect`,
    );
  return [name, value];
}

function booleanFrom(text: string): boolean | undefined {
  if (/^(true|t|1)$/i.test(text)) return true;
  return /^(false|f|0)$/i.test(text) ? false : undefined;
}

function warningsFor(name: string, stage: FeatureStage | undefined): string[] {
  if (stage === 'GA') return [`feature gate ${name} has no effect and will be removed`];
  return stage === 'deprecated' ? [`feature gate ${name} is deprecated and will be removed`] : [];
}
