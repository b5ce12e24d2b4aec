import { NotCsvError } from '@draftshelf/csv/detect/not-csv';
import { fileGoneMessage, isFileGoneError } from '../run/file-gone.ts';
import { createPreviewer, type Previewer, readPreviewPage } from './preview.ts';
import type { PreviewRequest, ReadRequest } from './preview-reader.ts';
import type { PreviewReply, ReadingFailure } from './preview-state.ts';
import { scannedBytes } from './scanned-bytes.ts';
import { sha256 } from './sha256.ts';

/** The interval of progress messages: short enough for a smooth bar, long enough to cost nothing. */
const progressEveryMs = 100;

/** The file being read; null before the first request. */
let reading: { file: File; previewer: Previewer } | null = null;

function post(message: PreviewReply): void {
  self.postMessage(message);
}

/** `rowsOnce`: rows are sent once, then only progress. */
async function read(file: File, previewer: Previewer, rowsOnce: boolean): Promise<void> {
  const hash = sha256();
  const reader = file.stream().getReader();
  let readBytes = 0;
  let sentAtMs = Number.NEGATIVE_INFINITY;
  let sentRows = false;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    previewer.push(value);
    hash.push(value);
    readBytes += value.length;
    const nowMs = performance.now();
    const preview = previewer.current();
    const firstRows = preview !== null && !sentRows;
    if (nowMs - sentAtMs < progressEveryMs && !firstRows) continue;
    sentAtMs = nowMs;
    const isSent = preview !== null && (firstRows || !rowsOnce);
    sentRows = preview !== null;
    post({ kind: 'progress', readBytes, preview: isSent ? preview : null });
  }
  const preview = previewer.end();
  post(
    preview === null
      ? { kind: 'tooFewRecords', dialect: previewer.dialect() }
      : { kind: 'done', preview, sha256: hash.hex() },
  );
}

async function readPage(page: number): Promise<void> {
  const preview = reading?.previewer.current() ?? null;
  const range = reading?.previewer.pageRange(page) ?? null;
  if (reading === null || preview === null || range === null) {
    post({ kind: 'page', page, rows: [] });
    return;
  }
  const bytes = await scannedBytes(reading.file, preview.dialect.encoding, range.byteFrom, range.byteTo);
  post({ kind: 'page', page, rows: readPreviewPage(bytes, range, preview) });
}

function begin({ file, choice, mapping, rowsOnce }: ReadRequest): Promise<void> {
  const previewer = createPreviewer({ dialect: choice, mapping });
  reading = { file, previewer };
  return read(file, previewer, rowsOnce);
}

self.addEventListener('message', ({ data: request }: MessageEvent<PreviewRequest>) => {
  const work = request.kind === 'read' ? begin(request) : readPage(request.page);
  work.catch((error: unknown) => {
    const dialect = reading?.previewer.dialect() ?? null;
    post({ kind: 'failed', failure: failureOf(error), dialect });
  });
});

function failureOf(error: unknown): ReadingFailure {
  if (isFileGoneError(error)) return { message: fileGoneMessage, isBeyondDialects: true };
  const message = error instanceof Error ? error.message : String(error);
  return { message, isBeyondDialects: error instanceof NotCsvError && error.isOtherFormat };
}
