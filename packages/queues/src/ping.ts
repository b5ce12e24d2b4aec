import type { ChunkQueue } from './connection.ts';

/** Makes a cheap call to the queue's backend. Throws what the backend throws; the caller sets the time-out. */
export async function pingQueue(queue: ChunkQueue): Promise<void> {
  await queue.getJobCounts('waiting');
}

/** How many jobs of a queue are in each state. Throws what the backend throws; the caller sets the time-out. */
export async function countJobs(queue: ChunkQueue): Promise<Record<string, number>> {
  return queue.getJobCounts();
}
