import type { ShownImport } from '../../import/index.ts';
import type { Sent, UploadResult } from '../upload-api.ts';

/** `waiting`: other uploads are being sent. */
export type Phase =
  | { phase: 'waiting' }
  | { phase: 'sending'; sent: Sent }
  | { phase: 'processing'; reply: UploadResult }
  | { phase: 'ended'; reply: UploadResult; record: ShownImport | null }
  | { phase: 'failed'; message: string; cause: string | null };

type Target = { id: number; filename: string; fileBytes: number };

export type Upload = Target & {
  /** A notification has reported the end. */
  announced: boolean;
} & Phase;

export type UploadsAction =
  | { kind: 'add'; targets: readonly Target[] }
  | { kind: 'move'; id: number; to: Phase }
  | { kind: 'remove'; id: number }
  | { kind: 'announce' }
  | { kind: 'clear' };

export const sendingMax = 2;

export const isActive = ({ phase }: Phase): boolean =>
  phase === 'waiting' || phase === 'sending' || phase === 'processing';

/** Some files are not on the server yet. */
export const isSending = (uploads: readonly Upload[]): boolean =>
  uploads.some(({ phase }) => phase === 'waiting' || phase === 'sending');

export const processedProducts = (uploads: readonly Upload[]): number =>
  uploads.reduce(
    (sum, upload) =>
      upload.phase === 'ended' ? sum + (upload.record?.totalProducts ?? upload.reply.totalProducts) : sum,
    0,
  );

export function nextToSend(uploads: readonly Upload[]): Upload[] {
  const sending = uploads.filter(({ phase }) => phase === 'sending').length;
  return uploads.filter(({ phase }) => phase === 'waiting').slice(0, Math.max(0, sendingMax - sending));
}

/** None while others are still on their way. */
export const toAnnounce = (uploads: readonly Upload[]): Upload[] =>
  uploads.some(isActive) ? [] : uploads.filter(({ announced }) => !announced);

/** Results stay above new uploads, so that these do not move them. */
const resultsMax = 50;

/** New uploads follow earlier results. */
export function uploadsReducer(uploads: readonly Upload[], action: UploadsAction): readonly Upload[] {
  switch (action.kind) {
    case 'add':
      return [
        ...withoutOldest(uploads),
        ...action.targets.map((target) => ({ ...target, announced: false, phase: 'waiting' as const })),
      ];
    case 'move':
      return uploads.map((upload) => (upload.id === action.id ? movedTo(upload, action.to) : upload));
    case 'remove':
      return uploads.filter(({ id }) => id !== action.id);
    case 'announce':
      return uploads.map((upload) => ({ ...upload, announced: true }));
    case 'clear':
      return withoutResults(uploads);
  }
}

function withoutOldest(uploads: readonly Upload[]): readonly Upload[] {
  const results = uploads.filter((upload) => !isActive(upload) && upload.announced);
  const dropped = results.slice(0, Math.max(0, results.length - resultsMax));
  return uploads.filter((upload) => !dropped.includes(upload));
}

/** Results stay until a notification has named them. */
const withoutResults = (uploads: readonly Upload[]) =>
  uploads.filter((upload) => isActive(upload) || !upload.announced);

const movedTo = ({ id, filename, fileBytes }: Upload, to: Phase): Upload => ({
  id,
  filename,
  fileBytes,
  announced: false,
  ...to,
});

export const fileGoneMessage =
  'The file was changed, moved or deleted after you chose it. Choose it again to continue.';

/** Browsers throw these when reading a file that has changed or is gone. */
const refusals: readonly string[] = ['NotReadableError', 'NotFoundError'];

export const isFileGoneError = (error: unknown): boolean =>
  error instanceof DOMException && refusals.includes(error.name);

export async function isFileGone(file: Blob): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return false;
  } catch (error) {
    return isFileGoneError(error);
  }
}
