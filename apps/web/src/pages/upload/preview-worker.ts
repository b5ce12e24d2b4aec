import { createPreviewer, readPreviewPage } from './preview.ts';
import type { PreviewAnswer, PreviewQuestion } from './preview-reader.ts';
import { scannedBytes } from './scanned-bytes.ts';

/** How often the page hears of the progress: often enough to see it move, seldom enough to cost nothing. */
const progressEveryMs = 100;

const previewer = createPreviewer();
let file: File | null = null;

function answer(message: PreviewAnswer): void {
  self.postMessage(message);
}

async function read(source: File): Promise<void> {
  file = source;
  const reader = source.stream().getReader();
  let readBytes = 0;
  let toldAtMs = Number.NEGATIVE_INFINITY;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    previewer.push(value);
    readBytes += value.length;
    const nowMs = performance.now();
    if (nowMs - toldAtMs < progressEveryMs) continue;
    toldAtMs = nowMs;
    answer({ kind: 'progress', readBytes, preview: previewer.current() });
  }
  const preview = previewer.end();
  answer(preview === null ? { kind: 'tooFewRecords' } : { kind: 'done', preview });
}

async function readPage(page: number): Promise<void> {
  const preview = previewer.current();
  const range = previewer.pageRange(page);
  if (file === null || preview === null || range === null) {
    answer({ kind: 'page', page, rows: [] });
    return;
  }
  const bytes = await scannedBytes(file, preview.dialect.encoding, range.byteFrom, range.byteTo);
  answer({ kind: 'page', page, rows: readPreviewPage(bytes, range, preview) });
}

self.addEventListener('message', (event: MessageEvent<PreviewQuestion>) => {
  const question = event.data;
  const work = question.kind === 'read' ? read(question.file) : readPage(question.page);
  work.catch((error: unknown) => {
    answer({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  });
});
