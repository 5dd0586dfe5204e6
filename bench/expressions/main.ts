import {
  CelError,
  compileText,
  costBudgets,
  createEnvironment,
  createProgram,
  valueFromJson,
} from '@binnacle/cel';
import { type MeasuredExpression, manyRules, measuredExpressions } from './expressions.ts';

/** Processor time of a run, which other programs do not affect; long enough for the runtime to compile everything. */
const millisecondsOfRun = 700;

/** Evaluations between two looks at the clock, which take time too. */
const roundsBetweenLooks = 10_000;

function main(): void {
  for (const expression of measuredExpressions) report(expression.name, [expression]);
  report('200 rules in turn on an object of 600 fields', manyRules(200, 600));
}

/** Evaluates expressions in turn and prints how many evaluations a second there were, with the binding of `self`. */
function report(name: string, expressions: readonly MeasuredExpression[]): void {
  const runs = expressions.map(({ text, type, self }) => {
    const { parsed, facts } = compileText(text, createEnvironment({ variables: [['self', type]] }));
    const program = createProgram(parsed, { variables: ['self'], facts });
    if (program instanceof CelError) throw new Error(program.message);
    return () => program.evaluate([valueFromJson(self, type)], costBudgets.call);
  });
  measure(runs, millisecondsOfRun / 4);
  const rate = measure(runs, millisecondsOfRun);
  console.log(`${name}: ${(rate / 1e6).toFixed(2)} million/s`);
}

function measure(runs: readonly (() => { value: unknown })[], milliseconds: number): number {
  const start = process.cpuUsage();
  let count = 0;
  let elapsed = 0;
  while (elapsed < milliseconds) {
    for (let round = 0; round < roundsBetweenLooks; round++) {
      const run = runs[round % runs.length];
      if (run?.().value !== true) throw new Error('an expression does not hold');
    }
    count += roundsBetweenLooks;
    const { user, system } = process.cpuUsage(start);
    elapsed = (user + system) / 1000;
  }
  return (count * 1000) / elapsed;
}

main();
