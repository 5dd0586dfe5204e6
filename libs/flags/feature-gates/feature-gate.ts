/** How far a feature is: alpha is off and beta on by default; GA is on for good; deprecated is on its way out. */
export type FeatureStage = 'alpha' | 'beta' | 'GA' | 'deprecated';

/** A feature that operators can switch on or off, as far as its stage lets them (spec 1, "Versioning" 8 and 9). */
export interface FeatureGate {
  readonly stage: FeatureStage;
  readonly default: boolean;
  /** Whether it can be switched off although its stage is GA; default false. */
  readonly canBeSwitchedOff?: true;
  /** The effect of the gate when it is on: a part of a sentence. Empty: the gate changes nothing. */
  readonly description: string;
}

/** The feature gates of a process. */
export interface FeatureGates<Name extends string = string> {
  isEnabled(name: Name): boolean;
  /** Every gate that changes something, with its state. */
  readonly states: readonly FeatureState[];
  /** Warnings for the operator: one sentence for each gate that is being retired. */
  readonly warnings: readonly string[];
}

/** One gate as it is set. */
interface FeatureState {
  readonly name: string;
  readonly stage: FeatureStage;
  readonly enabled: boolean;
}
