/** The stage of a feature: alpha, beta, GA (permanently on) or deprecated (will be removed). */
export type FeatureStage = 'alpha' | 'beta' | 'GA' | 'deprecated';

/** A feature that operators can enable or disable, within the rules of its stage (spec 1, "Versioning" 8 and 9). */
export interface FeatureGate {
  readonly stage: FeatureStage;
  readonly default: boolean;
  /** Whether the feature can be disabled although it is GA; default: false. */
  readonly canBeSwitchedOff?: true;
  /** The effect of the enabled gate, as a clause. Empty: the gate has no effect. */
  readonly description: string;
}

/** The feature gates of a process. */
export interface FeatureGates<Name extends string = string> {
  isEnabled(name: Name): boolean;
  /** Every gate with an effect, with its state. */
  readonly states: readonly FeatureState[];
  /** Warnings for the operator: one sentence for each named gate that will be removed. */
  readonly warnings: readonly string[];
}

/** The state of one gate. */
interface FeatureState {
  readonly name: string;
  readonly stage: FeatureStage;
  readonly enabled: boolean;
}
