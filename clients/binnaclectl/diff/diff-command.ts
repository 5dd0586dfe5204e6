/** The program that compares two folders, with its arguments. */
interface DiffCommand {
  readonly program: string;
  /** Without the folders. */
  readonly args: readonly string[];
  /** Words of the variable that are no plain options and are left out. */
  readonly leftOut: readonly string[];
}

/**
 * The program that `KUBECTL_EXTERNAL_DIFF` names, `diff -u -N` without it. As in kubectl the variable is words divided by
 * spaces, and arguments have letters, digits, `-` and `=` alone.
 */
export function diffCommand(variable: string | undefined): DiffCommand {
  if (variable === undefined || variable === '') return { program: 'diff', args: ['-u', '-N'], leftOut: [] };
  const [program = '', ...words] = variable.split(' ');
  const isPlain = (word: string) => /^[a-zA-Z0-9=-]+$/.test(word);
  return {
    program,
    args: words.filter(isPlain),
    leftOut: words.filter(word => word !== '' && !isPlain(word)),
  };
}
