import type { MappingOverrides } from '@draftshelf/domain/reading/mapping/header-mapping';
import { isPartialList } from '@draftshelf/domain/suppliers/is-partial-list';
import { type Checked, type ChosenFile, checkedOf } from './files/chosen-files.ts';
import { type FoundSupplier, isPartialOf } from './preview/found-supplier.ts';
import type { Preview } from './preview/preview.ts';
import { rememberedOverrides } from './preview/preview-mapping.ts';
import type { PreviewRequest, ReadRequest } from './preview/preview-reader.ts';
import { type PreviewReply, tooFewRecords } from './preview/preview-state.ts';

type EndReply = Exclude<PreviewReply, { kind: 'progress' | 'page' }>;
type Memory = Parameters<typeof rememberedOverrides>[0] | null;

/** Starts a worker that reads a file and sends its replies to `onReply`. Returns a function that stops it. */
export type ReadInWorker = (request: PreviewRequest, onReply: (reply: PreviewReply) => void) => () => void;

export type CheckOptions = {
  read: ReadInWorker;
  /** The mapping remembered for headers. */
  recall: (headers: readonly string[]) => Promise<Memory>;
  /** Whose list the file is; undefined: nothing identifies its rows. */
  findSupplier: (preview: Preview, sha256: string) => Promise<FoundSupplier | undefined>;
  /** The share of the file that has been read, 0 to 1. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
};

type FileToCheck = Pick<ChosenFile, 'file' | 'choice' | 'own' | 'supplier'>;

const detected: MappingOverrides = {};

/**
 * Reads a whole file in the background, with what is remembered for its headers unless it has overrides of its own. The
 * promise stays pending after an abort.
 */
export async function checkChosenFile(
  { file, choice, own, supplier }: FileToCheck,
  options: CheckOptions,
): Promise<Checked> {
  const pass = (mapping: MappingOverrides, isPartial = false) =>
    startPass({ file, choice, mapping, isPartial }, options);
  const first = pass(own ?? detected);
  const headers = await first.headers;
  const isRecalled = own === null && headers !== null;
  const memory = isRecalled ? await options.recall(headers).catch(() => undefined) : null;
  if (memory) first.stop();
  const mapping = memory ? rememberedOverrides(memory) : (own ?? detected);
  const reply = await (memory ? pass(mapping) : first).end;
  const isPartial = await readsPartial(reply, supplier, options);
  return resultOf(isPartial ? await pass(mapping, true).end : reply, memory === undefined);
}

/** Whether the file is a list of prices and stock. Not if the server does not answer whose it is. */
async function readsPartial(
  reply: EndReply,
  chosen: string | null,
  { findSupplier }: CheckOptions,
): Promise<boolean> {
  if (reply.kind !== 'done' || !isPartialList(reply.preview.mapping)) return false;
  const found = await findSupplier(reply.preview, reply.sha256).catch(() => undefined);
  return isPartialOf(reply.preview, found, chosen);
}

/** Reads the file once. `headers` are null if it cannot be read. */
function startPass(
  { file, ...how }: Pick<ReadRequest, 'file' | 'choice' | 'mapping' | 'isPartial'>,
  { read, onProgress, signal }: CheckOptions,
) {
  const headers = Promise.withResolvers<readonly string[] | null>();
  const end = Promise.withResolvers<EndReply>();
  const stop = read({ kind: 'read', file, ...how, rowsOnce: true }, (reply) => {
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
