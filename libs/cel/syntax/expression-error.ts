import { createSourceText, type SourceText } from './source-text.ts';

/** One thing that is wrong with an expression. */
export interface ExpressionIssue {
  /** In code points. */
  readonly offset: number;
  readonly message: string;
}

/** An expression that cannot be read, or whose types do not fit. The message shows each place that is wrong. */
export class ExpressionError extends Error {
  readonly issues: readonly ExpressionIssue[];

  constructor(text: string, issues: readonly ExpressionIssue[]) {
    const source = createSourceText(text);
    const shown = [...issues].sort((one, other) => one.offset - other.offset);
    super(shown.map(issue => formatIssue(source, issue)).join('\n'));
    this.name = 'ExpressionError';
    this.issues = shown;
  }
}

/** Lines that are longer are not shown: a message is for people. */
const longestShownLine = 2000;

/** `ERROR: <input>:1:5: message`, the line, and a mark below the place. */
function formatIssue(source: SourceText, { offset, message }: ExpressionIssue): string {
  const { line, column, lineText } = source.findPlace(offset);
  const what = `ERROR: <input>:${line}:${column}: ${message}`;
  if (lineText.length > longestShownLine) return what;
  return `${what}\n | ${lineText}\n | ${'.'.repeat(column - 1)}^`;
}
