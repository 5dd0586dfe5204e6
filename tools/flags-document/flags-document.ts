import { environmentName, type Flag, type FlagSpec, flagName } from '@binnacle/flags';

/** Programs by name, with the flags that each has. */
export type Programs = Readonly<Record<string, FlagSpec>>;

interface Row {
  readonly name: string;
  readonly flag: Flag<unknown>;
  readonly programs: string[];
}

/** The flags of all programs as a page in Markdown: one row for each flag, and more where programs differ. */
export function flagsDocument(programs: Programs): string {
  const rows = createRows(programs);
  const lines = rows.map(({ name, flag, programs: of }) => {
    const value = flag.placeholder === '' ? 'true, false' : escaped(flag.placeholder);
    const fallback = flag.required ? 'required' : escaped(flag.defaultText);
    return `| \`--${flagName(name)}\` | ${value} | ${fallback} | ${of.join(', ')} | ${escaped(flag.description)} |`;
  });
  return `# Flags

Written by \`make generate\` from the flags themselves. \`--history-window 5m\`, \`--history-window=5m\` and
\`${environmentName('historyWindow')}=5m\` say the same, for every flag; the command line wins. Unknown flags are refused, \`--help\`
shows those of one program.

\`--config FILE\`, or \`${environmentName('config')}\`, names a file of flags in YAML: \`history-window: 5m\`, and lists where a flag may be given several
times. What the command line or the environment gives wins over it; unknown keys are refused. Names of files are relative to the folder that the
program is started in. \`--validate-config\` reads flags and the files that they name, and ends without serving anything.

Durations are written \`1h30m\`, \`5s\` or \`250ms\`; lists with commas, with several uses of the flag, or both; a flag that is true or
false alone means true.

| flag | value | default | programs | what it is |
|---|---|---|---|---|
${lines.join('\n')}
`;
}

function createRows(programs: Programs): readonly Row[] {
  const rows = new Map<string, Row>();
  for (const [program, spec] of Object.entries(programs)) {
    for (const [name, flag] of Object.entries(spec)) {
      const id = [name, flag.placeholder, flag.required, flag.defaultText, flag.description].join('\0');
      const row = rows.get(id) ?? { name, flag, programs: [] };
      row.programs.push(program);
      rows.set(id, row);
    }
  }
  return [...rows.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '\\<').replaceAll(/\n\s*/g, '<br>');
}
