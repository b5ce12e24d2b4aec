import type { PublishableChunk } from '@draftshelf/core/work/chunks';
import { attemptsMax } from '@draftshelf/core/work/claim-chunk';
import { stageCatalog } from '@draftshelf/domain/imports/stages';
import { type BackgroundKind, backgroundLabel, taskLabel } from '@draftshelf/domain/work/task-catalog';
import type { JobsOptions } from 'bullmq';
import { z } from 'zod';

/** The data of a job. A job carries only the chunk and its publication; the worker reads the rest from Postgres. */
export const ChunkPayload = z.object({
  chunkId: z.number().int().positive(),
  publication: z.number().int().positive(),
});
export type ChunkPayload = z.infer<typeof ChunkPayload>;

/** Returns BullMQ's id for a publication of a chunk. BullMQ does not allow ':' in ids. */
export function buildJobId(chunk: { id: number; publication: number }): string {
  return `${chunk.id}-${chunk.publication}`;
}

const failedKept = 1000;

/**
 * BullMQ silently ignores a job with a known id, so finished jobs are removed. Failed jobs stay for inspection; a
 * reopened chunk gets another job id. Postgres counts errors; BullMQ only delays the next attempt.
 */
export const jobOptions = {
  attempts: attemptsMax,
  removeOnComplete: true,
  removeOnFail: { count: failedKept },
} as const satisfies JobsOptions;

/** Returns the name of a job on Bull Board: file, stage and part. */
export function buildJobName(chunk: PublishableChunk): string {
  if (chunk.task !== null)
    return `${chunk.filename} · ${taskLabel(chunk.task).toLowerCase()}${progressOf(chunk)}`;
  if (chunk.kind !== 'work') return `${chunk.filename} · ${chunk.stage} · ${chunk.kind}`;
  return `${chunk.filename} · ${chunk.stage} · ${describeRange(chunk)}`;
}

/** Returns the name of a background task's job on Bull Board. */
export const buildTaskJobName = ({ kind, subject }: { kind: BackgroundKind; subject: string }): string =>
  [backgroundLabel(kind), subject].filter((part) => part !== '').join(' · ');

const progressOf = ({ done, total }: PublishableChunk) =>
  total === null ? '' : ` · from row ${done + 1} of ${total}`;

/** Returns the rows or products of a work chunk as text: 'rows 1–500'. */
export function describeRange(
  chunk: Pick<PublishableChunk, 'stage' | 'first_row' | 'rows' | 'first_product' | 'products'>,
): string {
  const { unit } = stageCatalog[chunk.stage];
  const [first, count] =
    unit === 'products' ? [chunk.first_product, chunk.products] : [chunk.first_row, chunk.rows];
  return `${unit} ${first}–${(first ?? 0) + (count ?? 0) - 1}`;
}

/** Returns a chunk's name for a sentence: its range, such as 'Rows 1–500', or its step. */
export function describeChunk(
  chunk: Parameters<typeof describeRange>[0] & Pick<PublishableChunk, 'kind'>,
): string {
  if (chunk.kind === 'split') return 'Re-reading the file';
  if (chunk.kind === 'finalize') return 'Last step';
  const range = describeRange(chunk);
  return range.charAt(0).toUpperCase() + range.slice(1);
}
