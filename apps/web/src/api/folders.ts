import { listConnections } from '@draftshelf/contract/connections';
import {
  answerExistingFiles,
  beginSignIn,
  cancelSignIn,
  disconnectOneDrive,
  getLatestSignIn,
  getSignIn,
  listFolders,
  listWatchedFiles,
  lookNow,
  type SignIn,
  takeWatchedFile,
} from '@draftshelf/contract/folders';
import type { BodyInputOf } from '@draftshelf/contract/route';
import type { FolderKind } from '@draftshelf/domain/folders';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { call } from './call.ts';
import { readKey, readOf } from './read.ts';

const pollMs = 5000;
const signInPollMs = 2000;

/** The watched folders, polled while their tab is shown. When one has changed, its files are read again. */
export function useFolders() {
  const client = useQueryClient();
  const folders = useQuery({ ...readOf(listFolders), refetchInterval: pollMs, refetchOnMount: 'always' });
  const changed = JSON.stringify(
    folders.data?.map(({ source, badge, counts, files, lastLook }) => [
      source,
      badge,
      counts,
      files,
      lastLook,
    ]),
  );
  const known = useRef(changed);
  useEffect(() => {
    if (known.current !== undefined && known.current !== changed) refreshLists(client);
    known.current = changed;
  }, [client, changed]);
  return folders;
}

/** Reads the lists of files again, and the connections, which the sidebar shows. */
function refreshLists(client: QueryClient): Promise<unknown> {
  return Promise.all([
    client.invalidateQueries({ queryKey: readKey(listConnections.path) }),
    client.invalidateQueries({
      queryKey: readKey(listFolders.path),
      predicate: ({ queryKey }) => queryKey[2] === 'files',
    }),
  ]);
}

const refreshFolders = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: readKey(listFolders.path) });

/** The newest files of a folder. */
export function useWatchedFiles(source: FolderKind) {
  return useQuery({ ...readOf(listWatchedFiles, { params: { source } }), refetchOnMount: 'always' });
}

export function useLookNow() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (source: FolderKind) => call(lookNow, { params: { source } }),
    onSettled: () => refreshFolders(client),
  });
}

export function useFileTaking(source: FolderKind) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call(takeWatchedFile, { params: { source, id } }),
    onSettled: () => refreshFolders(client),
  });
}

export function useFilesAnswer(source: FolderKind) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (action: 'take' | 'ignore') =>
      call(answerExistingFiles, { params: { source }, body: { action } }),
    onSettled: () => refreshFolders(client),
  });
}

/** Whether a sign-in is under way. */
export const isOpen = ({ state }: SignIn): boolean => state === 'asked' || state === 'code';

/** The latest sign-in, so that the panel of one under way is shown again after a reload. */
export function useLatestSignIn() {
  return useQuery({ ...readOf(getLatestSignIn), refetchOnMount: 'always' });
}

/** A sign-in, polled while it is under way. When it has ended, folders and connections are read again. */
export function useSignIn(id: string | null) {
  const client = useQueryClient();
  const reading = useQuery({
    ...readOf(getSignIn, { params: { id: id ?? '' } }),
    enabled: id !== null,
    refetchInterval: ({ state }) => (state.data === undefined || isOpen(state.data) ? signInPollMs : false),
  });
  const isEnded = reading.data !== undefined && !isOpen(reading.data);
  useEffect(() => {
    if (!isEnded) return;
    client.invalidateQueries({ queryKey: readKey(listFolders.path), exact: true });
    client.invalidateQueries({ queryKey: readKey(listConnections.path) });
  }, [client, isEnded]);
  return reading;
}

export function useSignInStart() {
  return useMutation({ mutationFn: (body: BodyInputOf<typeof beginSignIn>) => call(beginSignIn, { body }) });
}

export function useSignInCancel() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(cancelSignIn, { params: { id } }),
    onSettled: (_reply, _error, id) =>
      client.invalidateQueries({ queryKey: readKey(getSignIn.path, { id }) }),
  });
}

export function useDisconnect() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(disconnectOneDrive),
    onSettled: () => Promise.all([refreshFolders(client), refreshLists(client)]),
  });
}
