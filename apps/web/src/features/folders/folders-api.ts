import type { SignIn } from '@draftshelf/contract/folders/folders';
import type { FolderKind } from '@draftshelf/domain/folders/folders';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { CallError, type CallRequest, call } from '../../api/call.ts';
import { readKey, readOf } from '../../api/read.ts';

const pollMs = 5000;
const signInPollMs = 2000;

/**
 * The watched folders, polled while their tab is shown. When one has changed, its files are read again. They are read
 * at each poll while some are on their way: then they change without the counts.
 */
export function useFolders() {
  const client = useQueryClient();
  const folders = useQuery({ ...readOf('listFolders'), refetchInterval: pollMs, refetchOnMount: 'always' });
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

/** Reads the lists of files again, and the connections, which the sidebar shows. */
function refreshLists(client: QueryClient): Promise<unknown> {
  return Promise.all([
    client.invalidateQueries({ queryKey: readKey('listConnections') }),
    client.invalidateQueries({
      queryKey: readKey('listFolders'),
      predicate: ({ queryKey }) => queryKey[2] === 'files',
    }),
  ]);
}

const refreshFolders = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: readKey('listFolders') });

/** The newest files of a folder. */
export function useWatchedFiles(source: FolderKind) {
  return useQuery({ ...readOf('listWatchedFiles', { params: { source } }), refetchOnMount: 'always' });
}

export function useLookNow() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (source: FolderKind) => call('lookNow', { params: { source } }),
    onSettled: () => refreshFolders(client),
  });
}

export function useFileTaking(source: FolderKind) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call('takeWatchedFile', { params: { source, id } }),
    onSettled: () => refreshFolders(client),
  });
}

export function useFilesAnswer(source: FolderKind) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (action: 'take' | 'ignore') =>
      call('answerExistingFiles', { params: { source }, body: { action } }),
    onSettled: () => refreshFolders(client),
  });
}

/** Whether a sign-in is under way. */
export const isOpen = ({ state }: SignIn): boolean => state === 'asked' || state === 'code';

/** The latest sign-in, so that the panel of one under way is shown again after a reload. */
export function useLatestSignIn() {
  return useQuery({ ...readOf('getLatestSignIn'), refetchOnMount: 'always' });
}

const isGone = (error: Error | null): boolean => error instanceof CallError && error.status === 404;

const hasEnded = ({ data, error }: { data: SignIn | undefined; error: Error | null }): boolean =>
  isGone(error) || (data !== undefined && !isOpen(data));

/**
 * A sign-in, polled while it is under way; undefined: there is none, or it is gone. When it has ended, folders,
 * connections and the latest sign-in are read again.
 */
export function useSignIn(id: string | null): SignIn | undefined {
  const client = useQueryClient();
  const reading = useQuery({
    ...readOf('getSignIn', { params: { id: id ?? '' } }),
    enabled: id !== null,
    refetchInterval: ({ state }) => (hasEnded(state) ? false : signInPollMs),
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

/** Begins a sign-in. It is known before its first read, so that no second one replaces it. */
export function useSignInStart() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: NonNullable<CallRequest<'beginSignIn'>['body']>) => call('beginSignIn', { body }),
    onSuccess: ({ id }, { way }) => {
      const signIn: SignIn = {
        id,
        way,
        state: 'asked',
        userCode: null,
        verificationUrl: null,
        expiresAt: null,
        message: null,
      };
      client.setQueryData(readKey('getSignIn', { id }), signIn);
    },
  });
}

export function useSignInCancel() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call('cancelSignIn', { params: { id } }),
    onSettled: (_reply, _error, id) => client.invalidateQueries({ queryKey: readKey('getSignIn', { id }) }),
  });
}

export function useDisconnect() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('disconnectOneDrive'),
    onSettled: () => Promise.all([refreshFolders(client), refreshLists(client)]),
  });
}
