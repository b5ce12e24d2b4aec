import type { SignIn } from '@draftshelf/contract/folders/folders';
import type { FolderKind } from '@draftshelf/domain/folders/folders';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { CallError } from '../../api/call.ts';
import { pollMs, readKey, readOf } from '../../api/read.ts';

/** Files are also read at each poll while some are on their way: then they change without the counts. */
export function useFolders() {
  const client = useQueryClient();
  const folders = useQuery({
    ...readOf('listFolders'),
    refetchInterval: pollMs.folders,
    refetchOnMount: 'always',
  });
  const changed = JSON.stringify(
    folders.data?.map(({ source, badge, counts, files, lastLook, workers }) => [
      ...[source, badge, counts, files, lastLook, workers],
    ]),
  );
  const isBusy = folders.data?.some(({ counts }) => counts.waiting > 0) ?? false;
  const readAt = folders.dataUpdatedAt;
  const known = useRef({ changed, readAt });
  useEffect(() => {
    const before = known.current;
    known.current = { changed, readAt };
    if (before.changed === undefined) return;
    if (before.changed !== changed || (isBusy && before.readAt !== readAt)) refreshLists(client);
  }, [client, changed, isBusy, readAt]);
  return folders;
}

/** The sidebar shows the connections. */
const refreshLists = (client: QueryClient): Promise<unknown> =>
  Promise.all([
    client.invalidateQueries({ queryKey: readKey('listConnections') }),
    client.invalidateQueries({
      queryKey: readKey('listFolders'),
      predicate: ({ queryKey }) => queryKey[2] === 'files',
    }),
  ]);

export const useWatchedFiles = (source: FolderKind) =>
  useQuery({ ...readOf('listWatchedFiles', { params: { source } }), refetchOnMount: 'always' });

export const isOpen = ({ state }: SignIn): boolean => state === 'asked' || state === 'code';

/** Shows the panel of a sign-in under way again after a reload. */
export const useLatestSignIn = () => useQuery({ ...readOf('getLatestSignIn'), refetchOnMount: 'always' });

const isGone = (error: Error | null): boolean => error instanceof CallError && error.status === 404;

const hasEnded = ({ data, error }: { data: SignIn | undefined; error: Error | null }): boolean =>
  isGone(error) || (data !== undefined && !isOpen(data));

/** Undefined: there is none, or it is gone. Its end refreshes folders, connections and the latest sign-in. */
export function useSignIn(id: string | null): SignIn | undefined {
  const client = useQueryClient();
  const reading = useQuery({
    ...readOf('getSignIn', { params: { id: id ?? '' } }),
    enabled: id !== null,
    refetchInterval: ({ state }) => (hasEnded(state) ? false : pollMs.signIn),
  });
  const isEnded = hasEnded(reading);
  useEffect(() => {
    if (!isEnded) return;
    client.invalidateQueries({ queryKey: readKey('listFolders'), exact: true });
    client.invalidateQueries({ queryKey: readKey('listConnections') });
    client.invalidateQueries({ queryKey: readKey('getLatestSignIn'), exact: true });
  }, [client, isEnded]);
  return isGone(reading.error) ? undefined : reading.data;
}
