import { openWorkbook } from '../book/open-workbook.ts';
import { Package } from '../book/package.ts';
import { type ByteSource, blobSource, partOf } from '../byte-source.ts';
import type { Container, FoundPicture, FoundTable } from '../container.ts';
import { damaged } from '../container-error.ts';
import {
  type ContainerLimits,
  type InflateBudget,
  refuseLargeFile,
  sheetsMax,
  tableBytesMax,
} from '../limits.ts';
import { readFile, readingOf } from '../table-reading.ts';
import { readDirectory, type ZipEntry } from '../zip/directory.ts';
import { entryBytes, packedRange } from '../zip/entry.ts';
import { type Candidate, findCandidates, picturesBeside } from './candidates.ts';

/** Finds the lists in an archive: texts, and the sheets of workbooks. */
export async function openArchive(
  source: ByteSource,
  entries: readonly ZipEntry[],
  limits: ContainerLimits,
  budget: InflateBudget,
): Promise<Container> {
  const candidates = await findCandidates(source, entries, budget);
  const open = async ({ entry }: Candidate) => {
    refuseLargeFile(entry.bytes, limits.fileBytesMax);
    const inner = await sourceOf(source, entry, budget);
    return openWorkbook(new Package(inner, await readDirectory(inner), budget), limits);
  };
  const tables: FoundTable[] = [];
  for (const [file, candidate] of candidates.entries()) {
    const { name } = candidate.entry;
    if (candidate.kind === 'text') {
      tables.push({ n: file * sheetsMax, name, kind: 'file', hidden: false, active: false, rows: null });
    } else {
      for (const sheet of (await open(candidate)).tables) {
        tables.push({ ...sheet, n: file * sheetsMax + sheet.n, name: `${name}: ${sheet.name}` });
      }
    }
  }
  return {
    kind: 'archive',
    tables,
    pictures: async () => {
      const inside: FoundPicture[] = [];
      for (const [file, candidate] of candidates.entries()) {
        // One that is deflated has no pictures at a place of this file.
        if (candidate.kind !== 'workbook' || candidate.entry.method !== 0) continue;
        const [from] = await packedRange(source, candidate.entry);
        for (const picture of await (await open(candidate)).pictures()) {
          const sheet = file * sheetsMax + (picture.sheet ?? 0);
          inside.push({ ...picture, offset: from + picture.offset, sheet });
        }
      }
      return [...picturesBeside(entries), ...inside];
    },
    read: (n, options) => {
      const candidate = candidates[Math.floor(n / sheetsMax)];
      if (!candidate) throw damaged('a file is missing');
      if (candidate.kind === 'workbook') {
        return readingOf(async () => (await open(candidate)).read(n % sheetsMax, options));
      }
      refuseLargeFile(candidate.entry.bytes, tableBytesMax(limits));
      return readFile(() => entryBytes(source, candidate.entry, budget), options);
    },
  };
}

/** A workbook in an archive as a file of its own: where it is stored, else unpacked in memory. */
async function sourceOf(source: ByteSource, entry: ZipEntry, budget: InflateBudget): Promise<ByteSource> {
  if (entry.method === 0) {
    const [from, to] = await packedRange(source, entry);
    return partOf(source, from, to - from);
  }
  const chunks = await Array.fromAsync(entryBytes(source, entry, budget));
  return blobSource(new Blob(chunks as Uint8Array<ArrayBuffer>[]));
}
