import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The forms in which a file may hold a text: as it is, in hexadecimal, and in base64 at each of its three offsets. */
function formsOf(marker: string): Buffer[] {
  const bytes = Buffer.from(marker);
  const base64 = [0, 1, 2].map(offset => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    // Characters that also depend on the bytes before or after are left out.
    return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  });
  const hex = bytes.toString('hex');
  return [marker, hex, hex.toUpperCase(), ...base64].map(text => Buffer.from(text));
}

/** Finds the files below a folder that hold a text in any form; files may grow or go meanwhile. */
export async function filesWithMarker(folder: string, marker: string): Promise<string[]> {
  const forms = formsOf(marker);
  const longest = Math.max(...forms.map(form => form.length));
  const found: string[] = [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    let tail = Buffer.alloc(0);
    try {
      for await (const chunk of createReadStream(file, { highWaterMark: 4 * 1024 * 1024 })) {
        const bytes = Buffer.concat([tail, chunk as Buffer]); // No encoding is set: chunks are buffers.
        if (forms.some(form => bytes.includes(form))) {
          found.push(file);
          break;
        }
        tail = bytes.subarray(-longest);
      }
    } catch (thrown) {
      if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT')) throw thrown;
    }
  }
  return found;
}
