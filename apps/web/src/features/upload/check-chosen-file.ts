import type { DialectChoice } from '@draftshelf/contract/reading/dialect';
import type { MappingOverrides } from '@draftshelf/domain/reading/mapping/header-mapping';
import { type Checked, checkedOf } from './files/chosen-files.ts';
import { rememberedOverrides } from './preview/preview-mapping.ts';
import type { PreviewRequest } from './preview/preview-reader.ts';
import { type PreviewReply, tooFewRecords } from './preview/preview-state.ts';

type EndReply = Exclude<PreviewReply, { kind: 'progress' | 'page' }>;
type Memory = { columns: Record<string, string | null>; filename: string } | null;

/** Starts a worker that reads a file and sends its replies to `onReply`. Returns a function that stops it. */
export type ReadInWorker = (request: PreviewRequest, onReply: (reply: PreviewReply) => void) => () => void;

type CheckOptions = {
  read: ReadInWorker;
  /** The mapping remembered for headers. */
  recall: (headers: readonly string[]) => Promise<Memory>;
  /** The share of the file that has been read, 0 to 1. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
};

type FileToCheck = { file: File; choice: DialectChoice; own: MappingOverrides | null };

const detected: MappingOverrides = {};

/**
 * Reads a whole file in the background, with what is remembered for its headers unless it has overrides of its own. The
 * promise stays pending after an abort.
 */
export async function checkChosenFile(
  { file, choice, own }: FileToCheck,
  options: CheckOptions,
): Promise<Checked> {
  const pass = (mapping: MappingOverrides) => startPass({ file, choice, mapping }, options);
  const first = pass(own ?? detected);
  const headers = await first.headers;
  if (own !== null || headers === null) return resultOf(await first.end, false);
  const memory = await options.recall(headers).catch(() => undefined);
  if (!memory) return resultOf(await first.end, memory === undefined);
  first.stop();
  return resultOf(await pass(rememberedOverrides(memory)).end, false);
}

/** Reads the file once. `headers` are null if it cannot be read. */
function startPass(
  { file, choice, mapping }: Omit<FileToCheck, 'own'> & { mapping: MappingOverrides },
  { read, onProgress, signal }: CheckOptions,
) {
  const headers = Promise.withResolvers<readonly string[] | null>();
  const end = Promise.withResolvers<EndReply>();
  const stop = read({ kind: 'read', file, choice, mapping, rowsOnce: true }, (reply) => {
    if (reply.kind === 'page') return;
    if (reply.kind === 'progress') {
      onProgress(file.size === 0 ? 1 : reply.readBytes / file.size);
      if (reply.preview !== null) headers.resolve(reply.preview.headers);
      return;
    }
    stop();
    headers.resolve(reply.kind === 'done' ? reply.preview.headers : null);
    end.resolve(reply);
  });
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  return { headers: headers.promise, end: end.promise, stop };
}

function resultOf(reply: EndReply, isMemoryLost: boolean): Checked {
  switch (reply.kind) {
    case 'done':
      return checkedOf(reply.preview, reply.sha256, isMemoryLost);
    case 'tooFewRecords':
      return { kind: 'failed', failure: tooFewRecords };
    case 'failed':
      return { kind: 'failed', failure: reply.failure };
  }
}
