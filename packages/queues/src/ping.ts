import type { ChunkQueue } from './connection.ts';

/** Asks the queue's backend for something small. Throws what the backend throws; the caller sets the time-out. */
export async function pingQueue(queue: ChunkQueue): Promise<void> {
  await queue.getJobCounts('waiting');
}
