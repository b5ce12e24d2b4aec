import type { DialectChoice } from '@draftshelf/contract/dialect';
import { NotCsvError } from '@draftshelf/csv/detect/not-csv';
import { fileGoneMessage, tellsFileGone } from './file-gone.ts';
import { createPreviewer, type Previewer, readPreviewPage } from './preview.ts';
import type { PreviewQuestion } from './preview-reader.ts';
import type { PreviewAnswer, ReadingFailure } from './preview-state.ts';
import { scannedBytes } from './scanned-bytes.ts';

/** How often the page hears of the progress: often enough to see it move, seldom enough to cost nothing. */
const progressEveryMs = 100;

/** What is read here, once it was said. */
let reading: { file: File; previewer: Previewer } | null = null;

function answer(message: PreviewAnswer): void {
  self.postMessage(message);
}

async function read(file: File, previewer: Previewer): Promise<void> {
  const reader = file.stream().getReader();
  let readBytes = 0;
  let toldAtMs = Number.NEGATIVE_INFINITY;
  let toldRows = false;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    previewer.push(value);
    readBytes += value.length;
    const nowMs = performance.now();
    const preview = previewer.current();
    const firstRows = preview !== null && !toldRows;
    if (nowMs - toldAtMs < progressEveryMs && !firstRows) continue;
    toldAtMs = nowMs;
    toldRows = preview !== null;
    answer({ kind: 'progress', readBytes, preview });
  }
  const preview = previewer.end();
  answer(
    preview === null ? { kind: 'tooFewRecords', dialect: previewer.dialect() } : { kind: 'done', preview },
  );
}

async function readPage(page: number): Promise<void> {
  const preview = reading?.previewer.current() ?? null;
  const range = reading?.previewer.pageRange(page) ?? null;
  if (reading === null || preview === null || range === null) {
    answer({ kind: 'page', page, rows: [] });
    return;
  }
  const bytes = await scannedBytes(reading.file, preview.dialect.encoding, range.byteFrom, range.byteTo);
  answer({ kind: 'page', page, rows: readPreviewPage(bytes, range, preview) });
}

function begin(file: File, choice: DialectChoice): Promise<void> {
  const previewer = createPreviewer(choice);
  reading = { file, previewer };
  return read(file, previewer);
}

self.addEventListener('message', ({ data: question }: MessageEvent<PreviewQuestion>) => {
  const work = question.kind === 'read' ? begin(question.file, question.choice) : readPage(question.page);
  work.catch((error: unknown) => {
    const dialect = reading?.previewer.dialect() ?? null;
    answer({ kind: 'failed', failure: failureOf(error), dialect });
  });
});

function failureOf(error: unknown): ReadingFailure {
  if (tellsFileGone(error)) return { message: fileGoneMessage, isBeyondDialects: true };
  const message = error instanceof Error ? error.message : String(error);
  return { message, isBeyondDialects: error instanceof NotCsvError && error.isOtherFormat };
}
