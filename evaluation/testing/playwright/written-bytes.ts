import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';

/** A file of a folder, or a file inside an archive; the path includes the archive. */
export interface WrittenFile {
  readonly path: string;
  readonly bytes: Buffer;
}

/** All files of a folder, including those inside archives: traces are ZIP files, and the HTML report has one in base64. */
export function writtenFiles(folder: string): readonly WrittenFile[] {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return found.flatMap((one) => {
    const path = join(one.parentPath, one.name);
    return unpacked({ path, bytes: readFileSync(path) });
  });
}

function unpacked(file: WrittenFile): readonly WrittenFile[] {
  if (file.path.endsWith('.zip')) return [file, ...entriesOf(file)];
  const packed = /data:application\/zip;base64,([A-Za-z0-9+/=]+)/.exec(file.bytes.toString('latin1'))?.[1];
  return packed === undefined
    ? [file]
    : [file, ...entriesOf({ ...file, bytes: Buffer.from(packed, 'base64') })];
}

const CENTRAL_ENTRY = Buffer.from('PK\u0001\u0002', 'latin1');

/** Reads the central directory of a ZIP file (APPNOTE 4.3.12), where sizes are known even of streamed entries. */
function entriesOf({ path, bytes }: WrittenFile): readonly WrittenFile[] {
  const entries: WrittenFile[] = [];
  for (let at = bytes.indexOf(CENTRAL_ENTRY); at >= 0; at = bytes.indexOf(CENTRAL_ENTRY, at + 1)) {
    const nameLength = bytes.readUInt16LE(at + 28);
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    const local = bytes.readUInt32LE(at + 42);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const packed = bytes.subarray(start, start + bytes.readUInt32LE(at + 20));
    const deflated = bytes.readUInt16LE(at + 10) === 8;
    entries.push({ path: `${path}!${name}`, bytes: deflated ? inflateRawSync(packed) : packed });
  }
  return entries;
}
