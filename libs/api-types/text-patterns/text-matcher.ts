import {
  assertions,
  isWordCharacter,
  matchesCharacter,
  operations,
  type PatternProgram,
} from './pattern-program.ts';

/** Remaining steps of matching, about 10 ns each. */
export interface MatchSteps {
  left: number;
}

/** Cost of an examined instruction, in steps; a character in a known state costs one. */
const stepsOfInstruction = 3;
/** Cost of a new state besides its instructions, in steps. */
const stepsOfState = 80;
/** Characters below this have their transitions in a table. */
const tableSize = 128;
/** Maximum number of cached instructions and transitions during a search; beyond it the cache is cleared. */
const mostKeptInSearch = 1_000_000;
/** Maximum number of calls that the marks of `#seen` can distinguish. */
const mostClosures = 2 ** 31 - 1;
const newline = 10;
/** Represents the end of the text. */
const endOfText = -1;

/** The state of a search at one position of a text. */
interface State {
  /** Instructions that depend on the next character or the end, including undecided assertions. */
  readonly instructions: Uint16Array;
  /** Assertions that hold regardless of the next character. */
  readonly known: number;
  readonly afterWord: boolean;
  /** The result of a search in this state regardless of further characters; undefined if it is open. */
  readonly answer: boolean | undefined;
  /** Known transitions by character. */
  readonly table: (State | undefined)[];
  others: Map<number, State> | undefined;
}

/**
 * Searches texts for a pattern. It follows all alternatives of the pattern simultaneously: sets of instructions are states, which
 * are created when a text first reaches them; a character in a known state is one step. The time is therefore linear in the text,
 * and the cost of patterns with very many states is counted.
 */
export class TextMatcher {
  readonly #program: PatternProgram;
  readonly #mostKept: number;
  /** Buffers of `#closure`: the call in which an instruction was last seen, the instructions to follow, and the result. */
  readonly #seen: Int32Array;
  readonly #open: Uint16Array;
  readonly #found: Uint16Array;
  #closures = 0;
  #states = new Map<string, State>();
  #start: State | undefined;
  #kept = 0;

  /**
   * Supports programs of up to 65,535 instructions. `mostKept` is the number of instructions and transitions cached between
   * searches, a few bytes each.
   */
  constructor(program: PatternProgram, mostKept = 8_192) {
    this.#program = program;
    this.#mostKept = mostKept;
    const { length } = program.instructions;
    this.#seen = new Int32Array(length);
    // Each instruction is pushed once per predecessor, and an instruction has at most two successors.
    this.#open = new Uint16Array(3 * length + 2);
    this.#found = new Uint16Array(length);
  }

  /** Number of cached instructions and transitions. */
  get kept(): number {
    return this.#kept;
  }

  /** Clears the cached states. */
  forget(): void {
    this.#states = new Map();
    this.#start = undefined;
    this.#kept = 0;
  }

  /** Whether the pattern occurs in a text; undefined if the steps are exhausted. */
  occursIn(text: string, steps: MatchSteps): boolean | undefined {
    steps.left -= text.length;
    if (steps.left < 0) return undefined;
    try {
      return this.#search(text, steps);
    } finally {
      if (this.#kept > this.#mostKept) this.forget();
    }
  }

  #search(text: string, steps: MatchSteps): boolean | undefined {
    this.#start ??= this.#startState(steps);
    let state = this.#start;
    const { length } = text;
    for (let at = 0; at < length; at++) {
      let character = text.charCodeAt(at);
      let next = character < tableSize ? state.table[character] : undefined;
      if (next === state) continue;
      if (state.answer !== undefined) return state.answer;
      if (character >= 0xd800 && character < 0xdc00) {
        character = text.codePointAt(at)!; // Within the text.
        if (character > 0xffff) at++;
      }
      next ??= state.others?.get(character) ?? this.#transition(state, character, steps);
      if (steps.left < 0) return undefined;
      state = next;
    }
    const end = state.others?.get(endOfText) ?? this.#transition(state, endOfText, steps);
    return state.answer ?? (steps.left < 0 ? undefined : end.answer === true);
  }

  #startState(steps: MatchSteps): State {
    this.#open[0] = this.#program.start;
    const known = assertions.beginText | assertions.beginLine;
    return this.#stateOf(this.#closure(1, known, steps), { known, afterWord: false, matched: false });
  }

  /** Computes and caches the transition of a state for a character. */
  #transition(state: State, character: number, steps: MatchSteps): State {
    const { instructions, start } = this.#program;
    const isEnd = character === endOfText;
    const isWord = isWordCharacter(character);
    const known = state.known | knownBefore(character, isWord === state.afterWord);
    let here = state.instructions;
    if (known !== state.known) {
      this.#open.set(here);
      here = this.#closure(here.length, known, steps);
    }
    steps.left -= here.length * stepsOfInstruction + stepsOfState;
    let count = 0;
    let matched = false;
    for (const index of here) {
      const instruction = instructions[index]!; // Programs name instructions of their own.
      if (instruction.op === operations.match) matched = true;
      else if (!isEnd && matchesCharacter(instruction) && instruction.matchRune(character))
        this.#open[count++] = instruction.out;
    }
    // A match may start at any position.
    if (!isEnd) this.#open[count++] = start;
    const after = character === newline ? assertions.beginLine : 0;
    const next = this.#stateOf(this.#closure(count, after, steps), {
      known: after,
      afterWord: isWord,
      matched,
    });
    if (character >= 0 && character < tableSize) state.table[character] = next;
    else this.#keepOther(state, character, next);
    return next;
  }

  #keepOther(state: State, character: number, next: State): void {
    state.others ??= new Map();
    state.others.set(character, next);
    this.#kept++;
  }

  #stateOf(
    instructions: Uint16Array,
    { known, afterWord, matched }: Pick<State, 'known' | 'afterWord'> & { readonly matched: boolean },
  ): State {
    const all = this.#program.instructions;
    const isMatch = matched || instructions.some(index => all[index]!.op === operations.match); // As above.
    const key = stateKey(instructions, known * 4 + (afterWord ? 2 : 0) + (isMatch ? 1 : 0));
    let state = this.#states.get(key);
    if (state !== undefined) return state;
    if (this.#kept > mostKeptInSearch) this.forget();
    const answer = isMatch || (instructions.length === 0 ? false : undefined);
    const table = new Array<State | undefined>(tableSize).fill(undefined);
    state = { instructions: instructions.slice(), known, afterWord, answer, table, others: undefined };
    this.#states.set(key, state);
    this.#kept += instructions.length + tableSize;
    return state;
  }

  /**
   * Returns the instructions that are reachable from the first `count` of `#open` without consuming a character, sorted,
   * including assertions that are not known to hold. Valid until the next call.
   */
  #closure(count: number, known: number, steps: MatchSteps): Uint16Array {
    const { instructions } = this.#program;
    const [seen, open, found] = [this.#seen, this.#open, this.#found];
    if (this.#closures === mostClosures) {
      seen.fill(0);
      this.#closures = 0;
    }
    const call = ++this.#closures;
    let visits = 0;
    let size = 0;
    while (count > 0) {
      const index = open[--count]!; // Below the count.
      if (seen[index] === call) continue;
      seen[index] = call;
      visits++;
      const { op, out, arg } = instructions[index]!; // As above.
      if (op === operations.match || op >= operations.firstCharacter) found[size++] = index;
      else if (op === operations.alternative || op === operations.alternativeMatch) {
        open[count++] = arg;
        open[count++] = out;
      } else if (op === operations.capture || op === operations.none) open[count++] = out;
      else if (op === operations.assertion) {
        if ((arg & ~known) === 0) open[count++] = out;
        else found[size++] = index;
      }
    }
    steps.left -= visits * stepsOfInstruction;
    return found.subarray(0, size).sort();
  }
}

/** Returns the assertions that hold before a character or the end. */
function knownBefore(character: number, isSameKind: boolean): number {
  const boundary = isSameKind ? assertions.noWordBoundary : assertions.wordBoundary;
  if (character === endOfText) return boundary | assertions.endLine | assertions.endText;
  return character === newline ? boundary | assertions.endLine : boundary;
}

/** Number of code units converted in one call. */
const unitsAtOnce = 4_096;

/** Returns equal texts for equal instructions with equal marks. */
function stateKey(instructions: Uint16Array, marks: number): string {
  let key = String.fromCharCode(marks);
  for (let from = 0; from < instructions.length; from += unitsAtOnce)
    key += String.fromCharCode(...instructions.subarray(from, from + unitsAtOnce));
  return key;
}
