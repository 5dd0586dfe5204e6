import {
  assertions,
  isWordCharacter,
  matchesCharacter,
  operations,
  type PatternProgram,
} from './pattern-program.ts';

/** Steps that matching may still take, about ten nanoseconds each. */
export interface MatchSteps {
  left: number;
}

/** The cost of an instruction that is looked at, in steps; a character in a state that was found before costs one. */
const stepsOfInstruction = 3;
/** The cost of a new state besides its instructions. */
const stepsOfState = 80;
/** Characters below it have their transitions in a table. */
const tableSize = 128;
/** Instructions and transitions that are kept during a search; beyond that it begins to find states anew. */
const mostKeptInSearch = 1_000_000;
/** As many calls as the marks of `#seen` tell apart. */
const mostClosures = 2 ** 31 - 1;
const newline = 10;
/** Stands for the end of the text among characters. */
const endOfText = -1;

/** Where a search may stand in its pattern, at one position of a text. */
interface State {
  /** Instructions that the next character, or the end, is for; and assertions that only this one decides. */
  readonly instructions: Uint16Array;
  /** The facts about the position that hold whatever comes next. */
  readonly known: number;
  readonly afterWord: boolean;
  /** The answer of a search that comes here, whatever comes next; undefined where that is open. */
  readonly answer: boolean | undefined;
  /** The states after characters, as far as they are known. */
  readonly table: (State | undefined)[];
  others: Map<number, State> | undefined;
}

/**
 * Finds whether a pattern occurs in texts. It follows all ways through the pattern at once: sets of instructions are states, found
 * when a text first leads to them, and a character in a known state is one step. So the time is linear in the text, and what a
 * pattern with very many states costs is counted.
 */
export class TextMatcher {
  readonly #program: PatternProgram;
  readonly #mostKept: number;
  /** Scratch of `#closure`: when an instruction was seen, those to follow, those found. */
  readonly #seen: Int32Array;
  readonly #open: Uint16Array;
  readonly #found: Uint16Array;
  #closures = 0;
  #states = new Map<string, State>();
  #start: State | undefined;
  #kept = 0;

  /**
   * Takes programs of up to 65,535 instructions. Between searches so many instructions and transitions of states are kept, a few
   * bytes each.
   */
  constructor(program: PatternProgram, mostKept = 8_192) {
    this.#program = program;
    this.#mostKept = mostKept;
    const { length } = program.instructions;
    this.#seen = new Int32Array(length);
    // An instruction is put on the stack by each that leads to it: two at most lead on from one.
    this.#open = new Uint16Array(3 * length + 2);
    this.#found = new Uint16Array(length);
  }

  /** Instructions and transitions that are kept now. */
  get kept(): number {
    return this.#kept;
  }

  /** Lets go of the states that were found; they are found anew. */
  forget(): void {
    this.#states = new Map();
    this.#start = undefined;
    this.#kept = 0;
  }

  /** Whether the pattern occurs in a text; undefined when the steps do not suffice to tell. */
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

  /** Finds and keeps the state after a character. */
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
    // A match may begin at any position.
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
   * The instructions that the first `count` of `#open` lead on to without a character, in order; assertions that are not known to
   * hold are among them. Valid until the next call.
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

/** The facts about a position that follow from the next character, or from the end. */
function knownBefore(character: number, isSameKind: boolean): number {
  const boundary = isSameKind ? assertions.noWordBoundary : assertions.wordBoundary;
  if (character === endOfText) return boundary | assertions.endLine | assertions.endText;
  return character === newline ? boundary | assertions.endLine : boundary;
}

/** So many code units of a text are made at once. */
const unitsAtOnce = 4_096;

/** A text that is the same for the same instructions with the same marks. */
function stateKey(instructions: Uint16Array, marks: number): string {
  let key = String.fromCharCode(marks);
  for (let from = 0; from < instructions.length; from += unitsAtOnce)
    key += String.fromCharCode(...instructions.subarray(from, from + unitsAtOnce));
  return key;
}
