import type { PublishableChunk } from '@draftshelf/database/chunks/chunks';
import { attemptsMax } from '@draftshelf/database/chunks/claim-chunk';
import type { Stage } from '@draftshelf/domain/import-status';
import type { JobsOptions } from 'bullmq';
import { z } from 'zod';

/** A job carries only the chunk and its publication; the worker reads the rest from Postgres. */
export const ChunkPayload = z.object({
  chunkId: z.number().int().positive(),
  publication: z.number().int().positive(),
});
export type ChunkPayload = z.infer<typeof ChunkPayload>;

/** The queues in the order of the pipeline. */
export const pipeline: readonly { stage: Stage; queue: string; work: string }[] = [
  { stage: 'parse', queue: 'parse', work: 'rows' },
  { stage: 'enrich', queue: 'enrich', work: 'rows' },
  { stage: 'push', queue: 'push', work: 'products' },
];

/** The queue of a stage. */
export function queueOf(stage: Stage): string {
  return stepOf(stage).queue;
}

function stepOf(stage: Stage) {
  const step = pipeline.find((candidate) => candidate.stage === stage);
  if (!step) throw new Error(`No queue for stage ${stage}`);
  return step;
}

/** BullMQ's id of a publication of a chunk. BullMQ does not allow ':' in it. */
export function jobIdOf(chunk: { id: number; publication: number }): string {
  return `${chunk.id}-${chunk.publication}`;
}

const failedKept = 1000;

/**
 * A finished job is removed, because BullMQ silently ignores a job with a known id. Failed jobs are kept for
 * inspection; a reopened chunk gets another id. Errors are counted in Postgres; BullMQ only spaces the attempts.
 */
export const jobOptions = {
  attempts: attemptsMax,
  removeOnComplete: true,
  removeOnFail: { count: failedKept },
} as const satisfies JobsOptions;

/** A name for people: file, stage, and which part. */
export function jobNameOf(chunk: PublishableChunk): string {
  if (chunk.kind !== 'work') return `${chunk.filename} · ${chunk.stage} · ${chunk.kind}`;
  const [first, count] =
    chunk.stage === 'push' ? [chunk.first_product, chunk.products] : [chunk.first_row, chunk.rows];
  return `${chunk.filename} · ${chunk.stage} · ${stepOf(chunk.stage).work} ${first}–${(first ?? 0) + (count ?? 0) - 1}`;
}
