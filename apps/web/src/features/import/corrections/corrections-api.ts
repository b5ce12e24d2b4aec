import { endpointOf } from '@draftshelf/contract/paths';
import { uploadFileFields } from '@draftshelf/contract/wire';
import { useQuery } from '@tanstack/react-query';
import { call, urlOf, urlOfEndpoint } from '../../../api/call.ts';
import { pollMs, readOf } from '../../../api/read.ts';
import { useCalls } from '../../../ui/feedback/use-call.ts';
import { filterOf, type RowsAddress } from '../rows-address.ts';

export const correctionsUrl = (importId: string, address: RowsAddress): string =>
  urlOf(endpointOf('getCorrections').path, { id: importId }, filterOf(address));

export const correctionsReportUrl = (importId: string, corrections: string): string =>
  urlOfEndpoint('getCorrectionsReport', { id: importId, corrections });

export const useCorrectionsUpload = () =>
  useCalls(
    ({ importId, file }: { importId: string; file: File }) => {
      const form = new FormData();
      form.set(uploadFileFields[0], file);
      return call('uploadCorrections', { params: { id: importId }, form });
    },
    () => [],
  );

export function useCorrections(importId: string, corrections: string) {
  return useQuery({
    ...readOf('readCorrections', { params: { id: importId, corrections } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.state === 'comparing' ? pollMs.corrections : false),
  });
}

export const useCorrectedImport = (key: string) =>
  useQuery({ ...readOf('findCorrectedImport', { params: { key } }), retry: false });
