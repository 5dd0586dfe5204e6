/** One block of a PEM text. */
interface PemBlock {
  readonly label: string;
  readonly hasHeaders: boolean;
  readonly bytes: Buffer;
}

const begin = /^-----BEGIN ([A-Z0-9 ]+)-----[ \t]*$/;

/** Returns the blocks of a PEM text; undefined if a block is unterminated or not base64. Text between blocks is ignored. */
export function readPem(text: string): PemBlock[] | undefined {
  const lines = text.split(/\r?\n/);
  const blocks: PemBlock[] = [];
  for (let i = 0; i < lines.length; i++) {
    const label = begin.exec(lines[i] ?? '')?.[1];
    if (label === undefined) continue;
    const end = lines.findIndex((line, index) => index > i && line.trimEnd() === `-----END ${label}-----`);
    if (end < 0) return undefined;
    const block = blockFrom(label, lines.slice(i + 1, end));
    if (!block) return undefined;
    blocks.push(block);
    i = end;
  }
  return blocks;
}

function blockFrom(label: string, lines: readonly string[]): PemBlock | undefined {
  const hasHeaders = lines.some(line => line.includes(':'));
  const blank = lines.findIndex(line => line.trim() === '');
  const base64 = (hasHeaders ? lines.slice(blank + 1) : lines).join('').replace(/\s/g, '');
  if (base64 === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  return { label, hasHeaders, bytes: Buffer.from(base64, 'base64') };
}
