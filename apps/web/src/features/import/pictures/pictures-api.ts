import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { call, type Reply, urlOfEndpoint } from '../../../api/call.ts';
import { pollMs } from '../../../api/polls.ts';
import { readKey, readOf } from '../../../api/read.ts';

export type PictureCounts = Reply<'listPictures'>['counts'];
export type ShownPicture = Reply<'listPictures'>['pictures'][number];
export type PictureState = ShownPicture['state'];

const foundMax = 6;

export const usePictureCounts = (importId: string) =>
  useQuery({
    ...readOf('listPictures', { params: { id: importId } }),
    staleTime: 0,
    refetchInterval: ({ state }) => ((state.data?.counts.waiting ?? 1) > 0 ? pollMs.pictures : false),
  });

export function usePictures(importId: string, state: PictureState) {
  return useInfiniteQuery({
    queryKey: [...readKey('listPictures', { id: importId }), state],
    queryFn: ({ pageParam, signal }) =>
      call('listPictures', { params: { id: importId }, query: { state, after: pageParam }, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
    gcTime: 0,
  });
}

export const useFoundRows = (importId: string, q: string) =>
  useQuery({
    ...readOf('listRows', { params: { id: importId }, query: { q, limit: foundMax } }),
    enabled: q.length >= 3,
    placeholderData: keepPreviousData,
  });

export const picturesUrl = (importId: string): string => urlOfEndpoint('getPicturesCsv', { id: importId });
