import type { NameTable } from '@binnacle/api-names/table';

/** A table of names with its description and those of its rows. */
interface DescribedTable {
  readonly title: string;
  readonly description: string;
  readonly names: NameTable;
  /** The meaning of names, by key, where the source gives it. */
  readonly remarks: ReadonlyMap<string, string>;
}

/** The tables of names as a page in Markdown. */
export function namesDocument(tables: readonly DescribedTable[]): string {
  return `# Names

Written by \`make generate\` from [libs/api-names](../libs/api-names/table), the only place where names are written. A deployment uses one
vocabulary, which \`--api-names=cluster|kubernetes\` (\`BINNACLE_API_NAMES\`) chooses for all of its services; \`cluster\` is the default. A name
that ends in a dash, a dot or a slash is the beginning of others.

${tables.map(renderSection).join('\n')}`;
}

function renderSection({ title, description, names, remarks }: DescribedTable): string {
  const rows = Object.entries(names).map(
    ([key, [cluster, kubernetes]]) =>
      `| ${remarks.get(key) ?? wordsFromKey(key)} | \`${cluster}\` | \`${kubernetes}\` |`,
  );
  return `## ${title}
${description === '' ? '' : `${description}\n`}
| what | \`cluster\` | \`kubernetes\` |
|---|---|---|
${rows.join('\n')}
`;
}

/** Describes a table by the comments in its source. */
export function describeTable(name: string, names: NameTable, source: string): DescribedTable {
  const declaration = new RegExp(
    `(?:/\\*\\*(?<comment>(?:[^*]|\\*(?!/))*)\\*/\\n)?export const ${name} = \\{(?<body>.*?)\\n\\}`,
    's',
  );
  const { comment = '', body = '' } = declaration.exec(source)?.groups ?? {};
  const remarks = [...body.matchAll(/\/\*\*(?<text>(?:[^*]|\*(?!\/))*)\*\/\s*(?<key>\w+):/g)].map(
    ({ groups: { key = '', text = '' } = {} }) => [key, textFromComment(text).replace(/\.$/, '')] as const,
  );
  const title = wordsFromKey(
    name
      .replace(/Table$/, 's')
      .replace(/xs$/, 'xes')
      .replace(/ys$/, 'ies'),
  );
  return {
    title: title.charAt(0).toUpperCase() + title.slice(1),
    description: textFromComment(comment),
    names,
    remarks: new Map(remarks),
  };
}

function textFromComment(comment: string): string {
  return comment
    .replace(/\n\s*\*/g, '\n')
    .replace(/\s+/g, ' ')
    .trim();
}

/** `csiDriver` as words: csi driver. */
function wordsFromKey(key: string): string {
  return key.replace(/(?<=[a-z\d])[A-Z]/g, letter => ` ${letter.toLowerCase()}`);
}
