import type { SignIn } from '@draftshelf/contract/folders/folders';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { CallError, call, pollMs, type Reply, readOf, toCacheKey } from '../../api/call.ts';

/** Polls the folders. Refreshes the lists of files if a folder has changed or files are waiting in it. */
export const useFolders = () =>
  useQuery({
    ...readOf('listFolders'),
    queryFn: async ({ client, queryKey, signal }) => {
      const before = client.getQueryData<Reply<'listFolders'>>(queryKey);
      const folders = await call('listFolders', { signal });
      const isBusy = folders.some(({ counts }) => counts.waiting > 0);
      if (before !== undefined && (isBusy || shownOf(before) !== shownOf(folders))) refreshLists(client);
      return folders;
    },
    refetchInterval: pollMs.folders,
    refetchOnMount: 'always',
  });

const shownOf = (folders: Reply<'listFolders'>): string =>
  JSON.stringify(
    folders.map(({ source, badge, counts, files, lastLook, workers }) => [
      ...[source, badge, counts, files, lastLook, workers],
    ]),
  );

/** Refreshes the folders, and the connections, which the sidebar shows. */
const refreshLists = (client: QueryClient): Promise<unknown> =>
  Promise.all([
    client.invalidateQueries({ queryKey: toCacheKey('listConnections') }),
    client.invalidateQueries({
      queryKey: toCacheKey('listFolders'),
      predicate: ({ queryKey }) => queryKey[2] === 'files',
    }),
  ]);

export const isOpen = ({ state }: SignIn): boolean => state === 'asked' || state === 'code';

/** Reads the latest sign-in, so that a reload shows the panel of a running sign-in again. */
export const useLatestSignIn = () => useQuery({ ...readOf('getLatestSignIn'), refetchOnMount: 'always' });

const isGone = (error: unknown): boolean => error instanceof CallError && error.status === 404;

/** Polls the sign-in `id`, if any. When it ends, folders, connections and the latest sign-in are read again. */
export function useSignIn(id: string | null): SignIn | undefined {
  const params = { id: id ?? '' };
  const { data, error } = useQuery({
    ...readOf('getSignIn', { params }),
    queryFn: async ({ client, signal }) => {
      const reading = call('getSignIn', { params, signal });
      const isOver = await reading.then((signIn) => !isOpen(signIn), isGone);
      if (isOver) refreshAfterSignIn(client);
      return reading;
    },
    enabled: id !== null,
    refetchInterval: ({ state: { data, error } }) =>
      isGone(error) || (data !== undefined && !isOpen(data)) ? false : pollMs.signIn,
  });
  return isGone(error) ? undefined : data;
}

function refreshAfterSignIn(client: QueryClient): void {
  client.invalidateQueries({ queryKey: toCacheKey('listFolders'), exact: true });
  client.invalidateQueries({ queryKey: toCacheKey('listConnections') });
  client.invalidateQueries({ queryKey: toCacheKey('getLatestSignIn'), exact: true });
}
