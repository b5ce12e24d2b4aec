import type { ChunkQueue } from './connection.ts';

/** Calls the queue's backend cheaply and throws its errors; the caller sets the time-out. */
export async function pingQueue(queue: ChunkQueue): Promise<void> {
  await queue.getJobCounts('waiting');
}

/** Number of jobs of a queue by state. Throws the errors of the backend; the caller sets the time-out. */
export async function countJobs(queue: ChunkQueue): Promise<Record<string, number>> {
  return queue.getJobCounts();
}
