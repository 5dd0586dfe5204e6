import { derTag, readAllDer } from './der.ts';
import { readPem } from './pem.ts';

const setTag = 0x31;
/** Object identifier 2.5.4.10, organizationName. */
const organizationName = Buffer.from('060355040a', 'hex');
const mostParts = 1000;

/** Returns the organizations in the subject of a PKCS#10 certificate request in PEM form; undefined if it is invalid. */
export function requestedOrganizations(pem: Buffer): string[] | undefined {
  const [block] = readPem(pem.toString('latin1')) ?? [];
  if (block === undefined) return undefined;
  const [request] = readAllDer(block.bytes, 1) ?? [];
  const [info] = (request && readAllDer(request.content, 3)) ?? [];
  const [, subject] = (info && readAllDer(info.content, 4)) ?? [];
  if (subject?.tag !== derTag.sequence) return undefined;
  const sets = readAllDer(subject.content, mostParts);
  const organizations: string[] = [];
  for (const set of sets ?? []) {
    const attributes = set.tag === setTag ? readAllDer(set.content, mostParts) : undefined;
    if (attributes === undefined) return undefined;
    for (const attribute of attributes) {
      const [identifier, value] = readAllDer(attribute.content, 2) ?? [];
      if (identifier === undefined || value === undefined) return undefined;
      if (identifier.whole.equals(organizationName)) organizations.push(decodeText(value.tag, value.content));
    }
  }
  return sets && organizations;
}

const bmpStringTag = 0x1e;

/** All other string types in a subject are UTF-8 or a subset of it. */
function decodeText(tag: number, content: Buffer): string {
  if (tag !== bmpStringTag) return content.toString('utf8');
  return content.length % 2 === 0 ? Buffer.from(content).swap16().toString('utf16le') : '';
}
