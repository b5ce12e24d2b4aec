import { NotCsvError } from '@draftshelf/csv/detect/not-csv';
import { otherWorkbookSentence, unreadableSentence } from '@draftshelf/csv/detect/other-workbooks';
import { readLimitsDefault } from '@draftshelf/csv/limits';
import { ContainerError } from '@draftshelf/workbooks/container-error';
import { detectContainerKind, kindHeadBytes } from '@draftshelf/workbooks/container-kind';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { fileGoneMessage, isFileGoneError } from '../run/uploads.ts';
import { createPreviewer, type Preview, type Previewer, readPreviewPage } from './preview.ts';
import type { PreviewRequest, ReadRequest } from './preview-reader.ts';
import { buildEmptyFileFailure, type PreviewReply, type ReadingFailure } from './preview-state.ts';
import { readScannedBytes } from './scanned-bytes.ts';

/** Interval of progress messages: short enough for a smooth bar, long enough to cost nothing. */
const progressEveryMs = 100;

/** The current reading. `text`: the file, or the text of a table in the file. */
let reading: { text: Blob; previewer: Previewer } | null = null;

function post(message: PreviewReply): void {
  self.postMessage(message);
}

type Piece = Uint8Array<ArrayBuffer>;

/** Reads a file in pieces by a reader, because some browsers cannot iterate over a stream. */
async function* piecesOf(file: Blob): AsyncGenerator<Piece> {
  const reader = file.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/** Reads the pieces and reports progress. `readBytesAt`: bytes read with a piece. `rowsOnce`: sends rows only once. */
async function read(
  pieces: AsyncIterable<Piece>,
  previewer: Previewer,
  { rowsOnce, readBytesAt }: { rowsOnce: boolean; readBytesAt: (piece: Piece) => number },
): Promise<Preview | null> {
  let sentAtMs = Number.NEGATIVE_INFINITY;
  let sentRows = false;
  for await (const piece of pieces) {
    previewer.push(piece);
    const readBytes = readBytesAt(piece);
    const nowMs = performance.now();
    const preview = previewer.current();
    const firstRows = preview !== null && !sentRows;
    if (nowMs - sentAtMs < progressEveryMs && !firstRows) continue;
    sentAtMs = nowMs;
    const isSent = preview !== null && (firstRows || !rowsOnce);
    sentRows = preview !== null;
    post({ kind: 'progress', readBytes, preview: isSent ? preview : null });
  }
  return previewer.end();
}

/** Reads the text again if all rows contradict the mapping that the header suggested. */
async function readAgain(preview: Preview | null, text: Blob): Promise<Preview | null> {
  const second = preview === null ? null : (reading?.previewer.again() ?? null);
  if (second === null) return preview;
  for await (const piece of piecesOf(text)) second.push(piece);
  reading = { text, previewer: second };
  return second.end();
}

async function readPage(page: number): Promise<void> {
  const preview = reading?.previewer.current() ?? null;
  const range = reading?.previewer.pageRange(page) ?? null;
  if (reading === null || preview === null || range === null) {
    post({ kind: 'page', page, rows: [] });
    return;
  }
  const bytes = await readScannedBytes(reading.text, preview.dialect.encoding, range.byteFrom, range.byteTo);
  post({ kind: 'page', page, rows: readPreviewPage(bytes, range, preview) });
}

async function begin(request: ReadRequest): Promise<void> {
  const { file } = request;
  if (file.size === 0) {
    post({ kind: 'failed', failure: buildEmptyFileFailure(file.name), dialect: null });
    return;
  }
  const head = new Uint8Array(await file.slice(0, kindHeadBytes).arrayBuffer());
  const hash = sha256.create();
  const kind = detectContainerKind(head);
  if ((kind === 'zip' || kind === 'gzip') && !('DecompressionStream' in self)) {
    post({ kind: 'failed', failure: cannotUnpack, dialect: null });
    return;
  }
  const preview = await (kind === null ? readText(request, hash) : readTable(request, hash));
  const dialect = reading?.previewer.dialect() ?? null;
  const other = preview === null ? otherWorkbookSentence(file.name) : null;
  if (other !== null) throw new NotCsvError(other);
  post(
    preview === null
      ? { kind: 'tooFewRecords', dialect }
      : { kind: 'done', preview, sha256: bytesToHex(hash.digest()) },
  );
}

/** The failure in browsers from before 2023, which cannot unpack workbooks. The server unpacks the file. */
const cannotUnpack: ReadingFailure = {
  message: 'This browser can’t preview workbooks. The upload works.',
  ...{ isBeyondDialects: true, isOfBrowser: true },
};

type Hash = ReturnType<typeof sha256.create>;

async function readText(
  { file, choice, mapping, isPartial, rowsOnce }: ReadRequest,
  hash: Hash,
): Promise<Preview | null> {
  const previewer = createPreviewer({ dialect: choice, mapping, isPartial });
  reading = { text: file, previewer };
  let readBytes = 0;
  const readBytesAt = (piece: Piece) => {
    hash.update(piece);
    readBytes += piece.length;
    return readBytes;
  };
  return readAgain(await read(piecesOf(file), previewer, { rowsOnce, readBytesAt }), file);
}

/** Reads a table of a file. Keeps its text, from which pages of rows are read. */
async function readTable(request: ReadRequest, hash: Hash): Promise<Preview | null> {
  const { file, choice, mapping, isPartial, rowsOnce } = request;
  const { table: name, ...dialect } = choice;
  const { openTable } = await import('./table-text.ts');
  const { table, tables, pieces } = await openTable(file, name);
  const previewer = createPreviewer({ dialect, mapping, isPartial }, readLimitsDefault, { table, tables });
  reading = { text: new Blob(), previewer };
  const text: Piece[] = [];
  let textBytes = 0;
  // The text is several times longer than its workbook, so this share approaches 1 and the bar slows near its end.
  const readBytesAt = (piece: Piece) => {
    text.push(piece);
    textBytes += piece.length;
    return file.size * (textBytes / (textBytes + file.size));
  };
  const preview = await read(pieces(), previewer, { rowsOnce, readBytesAt });
  reading = { text: new Blob(text), previewer };
  for await (const piece of piecesOf(file)) hash.update(piece);
  return readAgain(preview, reading.text);
}

self.addEventListener('message', ({ data: request }: MessageEvent<PreviewRequest>) => {
  const work = request.kind === 'read' ? begin(request) : readPage(request.page);
  work.catch((error: unknown) => {
    const dialect = reading?.previewer.dialect() ?? null;
    const name = request.kind === 'read' ? request.file.name : '';
    post({ kind: 'failed', failure: failureOf(error, name), dialect });
  });
});

function failureOf(error: unknown, name: string): ReadingFailure {
  if (isFileGoneError(error)) return { message: fileGoneMessage, isBeyondDialects: true };
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof NotCsvError && !error.isOtherFormat) {
    const other = unreadableSentence(name);
    return { message: other ?? message, isBeyondDialects: other !== null };
  }
  return { message, isBeyondDialects: error instanceof NotCsvError || error instanceof ContainerError };
}
