import { PublishStopped } from '@draftshelf/publishing/publish-errors';

/** Waits for all promises also after an error, so that products being sent end. Throws the first error. */
export async function allOrFirstError<T>(
  works: readonly Promise<T>[],
  stopping: AbortController,
): Promise<T[]> {
  let first: { error: unknown } | undefined;
  const settled = await Promise.allSettled(
    works.map((one) =>
      one.catch((error: unknown) => {
        first ??= { error };
        stopping.abort(new PublishStopped());
        throw error;
      }),
    ),
  );
  if (first) throw first.error;
  return settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}
