import { openSheets } from '../book/open-sheets.ts';
import { type ByteSource, sliceSource, toBlobSource } from '../byte-source.ts';
import { type Container, type FoundTable, limitPictures } from '../container.ts';
import { ContainerError, damagedError } from '../container-error.ts';
import {
  type ContainerLimits,
  type InflateBudget,
  picturesMax,
  refuseLargeFile,
  sheetsMax,
  toTableBytesMax,
} from '../limits.ts';
import { limitToHead } from '../table-reading.ts';
import { readDirectory, type ZipEntry } from '../zip/directory.ts';
import { findPackedRange, readEntryBytes, toEntryLocation } from '../zip/entry.ts';
import { findListFiles, findPictureFiles, type ListCandidate } from './candidates.ts';

/** Opens an archive. Its tables are text files and the sheets of workbooks. Throws ContainerError if there are none. */
export async function openArchive(
  source: ByteSource,
  entries: readonly ZipEntry[],
  limits: ContainerLimits,
  budget: InflateBudget,
): Promise<Container> {
  const candidates = await findListFiles(source, entries, budget);
  const open = openerOf(source, limits, budget);
  const tables: FoundTable[] = [];
  const workbooks: [file: number, candidate: ListCandidate][] = [];
  const refused: ContainerError[] = [];
  for (const [file, candidate] of candidates.entries()) {
    const { name } = candidate.entry;
    if (candidate.kind === 'text') {
      tables.push({ n: file * sheetsMax, name, kind: 'file', hidden: false, active: false, rows: null });
      continue;
    }
    try {
      for (const sheet of (await open(candidate)).tables) {
        tables.push({ ...sheet, n: file * sheetsMax + sheet.n, name: `${name}: ${sheet.name}` });
      }
      workbooks.push([file, candidate]);
    } catch (error) {
      // A workbook that cannot be read, such as a damaged file, is skipped if the archive has other tables.
      if (!(error instanceof ContainerError)) throw error;
      refused.push(error);
    }
  }
  if (tables.length === 0 && refused[0]) throw refused[0];
  return {
    kind: 'archive',
    tables,
    pictures: async () => {
      const found = findPictureFiles(entries);
      let isCut = false;
      for (const [file, candidate] of workbooks) {
        if (isCut || found.length > picturesMax) break;
        const { entry } = candidate;
        const inside = await (await open(candidate)).pictures();
        isCut = inside.isCut;
        // The pictures of an uncompressed workbook can be read from the archive itself, at shifted offsets.
        const from = entry.method === 0 ? (await findPackedRange(source, entry))[0] : 0;
        const within = entry.method === 0 ? {} : { within: toEntryLocation(entry) };
        for (const { sheet = 0, ...picture } of inside.pictures) {
          const place = { ...picture, offset: from + picture.offset, ...within };
          found.push({ ...place, sheet: file * sheetsMax + sheet });
        }
      }
      const first = limitPictures(found, limits);
      return { ...first, isCut: isCut || first.isCut };
    },
    async *read(n, options) {
      const candidate = candidates[Math.floor(n / sheetsMax)];
      if (!candidate) throw damagedError('a file is missing');
      if (candidate.kind === 'workbook') return yield* (await open(candidate)).read(n % sheetsMax, options);
      refuseLargeFile(candidate.entry.bytes, toTableBytesMax(limits));
      yield* limitToHead(readEntryBytes(source, candidate.entry, budget), options);
    },
  };
}

/** Returns a function that opens workbooks. The last workbook stays open, because its sheets are read one by one. */
function openerOf(source: ByteSource, limits: ContainerLimits, budget: InflateBudget) {
  let last: { candidate: ListCandidate; container: Container } | undefined;
  return async (candidate: ListCandidate): Promise<Container> => {
    if (last?.candidate === candidate) return last.container;
    refuseLargeFile(candidate.entry.bytes, limits.fileBytesMax);
    const inner = await sourceOf(source, candidate.entry, budget);
    const container = await openSheets(inner, await readDirectory(inner), limits, budget);
    if (container === null) throw damagedError(`‘${candidate.entry.name}’ is no workbook`);
    last = { candidate, container };
    return container;
  };
}

async function sourceOf(source: ByteSource, entry: ZipEntry, budget: InflateBudget): Promise<ByteSource> {
  if (entry.method === 0) {
    const [from, to] = await findPackedRange(source, entry);
    return sliceSource(source, from, to - from);
  }
  const chunks = await Array.fromAsync(readEntryBytes(source, entry, budget));
  return toBlobSource(new Blob(chunks as Uint8Array<ArrayBuffer>[]));
}
