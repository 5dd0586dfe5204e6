import { annotationTable } from '@binnacle/api-names/table';
import type { JsonObject } from '@binnacle/api-objects';
import { objectIn, textIn } from '../objects/page.ts';
import { plainText } from './describe-content.ts';
import { sortedEntries } from './sorted-entries.ts';

/** Longer annotations stand below their names, cut to this length. */
const longestAnnotation = 140;

/** The first lines of a description: name, namespace where it is shown, labels and annotations. */
export function describeMetadata(
  object: JsonObject,
  { showsNamespace }: { readonly showsNamespace: boolean },
): string {
  const metadata = objectIn(object, 'metadata');
  return [
    `Name:\t${textIn(metadata, 'name')}\n`,
    showsNamespace ? `Namespace:\t${textIn(metadata, 'namespace')}\n` : '',
    `Labels:\t${labelLines(objectIn(metadata, 'labels'))}`,
    `Annotations:\t${annotationLines(objectIn(metadata, 'annotations'))}`,
  ].join('');
}

function labelLines(labels: JsonObject): string {
  const lines = sortedEntries(labels).map(([name, value]) => `${name}=${plainText(value)}\n`);
  return lines.length === 0 ? '<none>\n' : lines.join('\t');
}

/** The annotation with the object as kubectl last applied it is left out. */
function annotationLines(annotations: JsonObject): string {
  const shown = sortedEntries(annotations).filter(
    ([name]) => !annotationTable.lastApplied.some(each => each === name),
  );
  if (shown.length === 0) return '<none>\n';
  return shown
    .map(([name, value]) => {
      const text = plainText(value).replace(/\n$/, '');
      if (!text.includes('\n') && text.length + name.length + 2 <= longestAnnotation)
        return `${name}: ${text}\n`;
      const lines = text.split('\n').map(line => `\t  ${shortened(line, longestAnnotation - 2)}\n`);
      return `${name}:\n${lines.join('')}`;
    })
    .join('\t');
}

function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}...` : text;
}
