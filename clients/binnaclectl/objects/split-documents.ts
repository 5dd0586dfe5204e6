/**
 * The documents of a file: those of YAML stand between lines that begin with `---`, those of JSON one after the other. Documents
 * without content are left out.
 */
export function splitDocuments(text: string): string[] {
  const documents = text.trimStart().startsWith('{') ? jsonDocuments(text) : undefined;
  return (documents ?? yamlDocuments(text)).filter(hasContent);
}

function yamlDocuments(text: string): string[] {
  const documents: string[][] = [[]];
  for (const line of text.split('\n')) {
    const begins = /^---(\s|$)/.exec(line);
    if (begins === null) documents.at(-1)?.push(line);
    // A document may begin on the line of its mark.
    else documents.push([line.slice(begins[0].length)]);
  }
  return documents.map(lines => lines.join('\n'));
}

function hasContent(document: string): boolean {
  return document.split('\n').some(line => line.trim() !== '' && !/^\s*#|^%|^\.\.\.\s*$/.test(line));
}

/** Undefined where the text is not a sequence of objects in braces: YAML in the form of JSON, with comments perhaps. */
function jsonDocuments(text: string): string[] | undefined {
  const documents: string[] = [];
  let rest = text.trim();
  while (rest !== '') {
    const end = endOfObject(rest);
    if (end === undefined) return undefined;
    documents.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
    if (rest !== '' && !rest.startsWith('{')) return undefined;
  }
  return documents;
}

/** The end of the object that the text begins with. */
function endOfObject(text: string): number | undefined {
  let depth = 0;
  let inText = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (inText) {
      if (character === '\\') index++;
      else if (character === '"') inText = false;
    } else if (character === '"') inText = true;
    else if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return index + 1;
  }
  return undefined;
}
