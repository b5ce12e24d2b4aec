import type { ShownImport } from '../../import/index.ts';
import type { SentBytes, UploadResult } from '../upload-api.ts';

/** `waiting`: not started yet, because other uploads are being sent. */
export type UploadPhase =
  | { phase: 'waiting' }
  | { phase: 'sending'; sent: SentBytes }
  | { phase: 'processing'; reply: UploadResult }
  | { phase: 'ended'; reply: UploadResult; record: ShownImport | null }
  | { phase: 'failed'; message: string; cause: string | null };

type Target = { id: number; filename: string; fileBytes: number };

export type Upload = Target & {
  /** Whether a notification has reported the end of the upload. */
  announced: boolean;
} & UploadPhase;

export const parallelUploadsMax = 2;

export const isUploadActive = ({ phase }: UploadPhase): boolean =>
  phase === 'waiting' || phase === 'sending' || phase === 'processing';

/** Whether some files are not on the server yet. */
export const hasUnsentFiles = (uploads: readonly Upload[]): boolean =>
  uploads.some(({ phase }) => phase === 'waiting' || phase === 'sending');

export const countProcessedProducts = (uploads: readonly Upload[]): number =>
  uploads.reduce(
    (sum, upload) =>
      upload.phase === 'ended' ? sum + (upload.record?.totalProducts ?? upload.reply.totalProducts) : sum,
    0,
  );

export function listNextToSend(uploads: readonly Upload[]): Upload[] {
  const sending = uploads.filter(({ phase }) => phase === 'sending').length;
  return uploads
    .filter(({ phase }) => phase === 'waiting')
    .slice(0, Math.max(0, parallelUploadsMax - sending));
}

/** Returns the uploads to announce; none while an upload is running. */
export const listUnannounced = (uploads: readonly Upload[]): Upload[] =>
  uploads.some(isUploadActive) ? [] : uploads.filter(({ announced }) => !announced);

/** Maximum number of results. Results stay above new uploads, so that no row moves. */
const resultsMax = 50;

/** A function that changes the list of uploads. */
export type UploadsChange = (uploads: readonly Upload[]) => readonly Upload[];

/** Adds new uploads after earlier results. */
export const addUploads =
  (targets: readonly Target[]): UploadsChange =>
  (uploads) => [
    ...withoutOldest(uploads),
    ...targets.map((target) => ({ ...target, announced: false, phase: 'waiting' as const })),
  ];

export const setUploadPhase =
  (id: number, to: UploadPhase): UploadsChange =>
  (uploads) =>
    uploads.map((upload) => {
      const { filename, fileBytes } = upload;
      return upload.id === id ? { id, filename, fileBytes, announced: false, ...to } : upload;
    });

export const removeUpload =
  (id: number): UploadsChange =>
  (uploads) =>
    uploads.filter((upload) => upload.id !== id);

export const markAnnounced: UploadsChange = (uploads) =>
  uploads.map((upload) => ({ ...upload, announced: true }));

/** Removes the results that a notification has reported. */
export const removeAnnounced: UploadsChange = (uploads) =>
  uploads.filter((upload) => isUploadActive(upload) || !upload.announced);

function withoutOldest(uploads: readonly Upload[]): readonly Upload[] {
  const results = uploads.filter((upload) => !isUploadActive(upload) && upload.announced);
  const dropped = results.slice(0, Math.max(0, results.length - resultsMax));
  return uploads.filter((upload) => !dropped.includes(upload));
}

export const fileGoneMessage =
  'The file was changed, moved or deleted after you chose it. Choose it again to continue.';

/** Names of the errors that browsers throw when they read a changed or removed file. */
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
